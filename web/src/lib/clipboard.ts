// Copying a text, also where there is no secure connection and the browser keeps its clipboard closed.

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field); // what is outside an open dialog cannot be selected
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
