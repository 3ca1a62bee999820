// Whether this browser can draw in space, and how well.

/** "soft": without a graphics card, where every pixel is work for the processor. */
export function drawsInSpace(): "well" | "soft" | null {
  try {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return null;
    const named = gl.getExtension("WEBGL_debug_renderer_info");
    const renderer = named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(renderer) ? "soft" : "well";
  } catch {
    return null;
  }
}
