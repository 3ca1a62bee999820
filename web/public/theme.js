// Before the first paint: the theme that was chosen here last time, if one was.
try {
  const theme = localStorage.getItem("ludoteca.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage may be closed to us; then the system's theme it is
}
