/**
 * Debian's Chromium, on a machine without a GPU and without a word to anybody outside. Pages are drawn and put together
 * by the processor: Debian's wrapper would send that through a GPU, which SwiftShader plays here at twice the cost. Only
 * WebGL runs on SwiftShader, so pages that draw a scene find what they find on a visitor's machine without a GPU.
 */
export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-gpu-rasterization',
    '--enable-unsafe-swiftshader',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};
