// Copies a text, also without a secure connection, where browsers offer no clipboard.

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field); // text outside an open dialog cannot be selected
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}
