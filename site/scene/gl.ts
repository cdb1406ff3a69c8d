export type Gl = WebGL2RenderingContext;

/** A program that the driver compiles. Call `assertLinked` before its first use. */
export interface Program {
  handle: WebGLProgram;
  /** Selects the program for drawing and for setting uniforms. */
  use(): void;
  uniform(name: string): WebGLUniformLocation | null;
}

/** Starts compiling a program in the driver. @param attributes In the order of their locations. */
export function compileProgram(gl: Gl, vertex: string, fragment: string, attributes: readonly string[] = []): Program {
  const handle = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(handle, shader);
    // It is freed together with the program.
    gl.deleteShader(shader);
  }
  attributes.forEach((name, location) => {
    gl.bindAttribLocation(handle, location, name);
  });
  gl.linkProgram(handle);
  const locations: Record<string, WebGLUniformLocation | null> = {};
  return {
    handle,
    use: () => gl.useProgram(handle),
    uniform: (name) => (locations[name] ??= gl.getUniformLocation(handle, name)),
  };
}

/** @throws With the driver's message, if it rejects the program. */
export function assertLinked(gl: Gl, { handle }: Program): void {
  if (gl.getProgramParameter(handle, gl.LINK_STATUS)) return;
  const logs = gl.getAttachedShaders(handle)?.map((shader) => gl.getShaderInfoLog(shader)) ?? [];
  throw new Error(`scene: ${[gl.getProgramInfoLog(handle), ...logs].join(' ')}`);
}

/** Whether the program's state is available without waiting. Always true without the extension. */
export function isCompiled(gl: Gl, { handle }: Program): boolean {
  const parallel = gl.getExtension('KHR_parallel_shader_compile');
  return !parallel || gl.isContextLost() || gl.getProgramParameter(handle, parallel.COMPLETION_STATUS_KHR) === true;
}

export function createBuffer(gl: Gl, data: AllowSharedBufferSource, target: GLenum = gl.ARRAY_BUFFER): WebGLBuffer {
  const created = gl.createBuffer();
  gl.bindBuffer(target, created);
  gl.bufferData(target, data, gl.STATIC_DRAW);
  return created;
}

/** A float attribute from the bound buffer. */
export function bindAttribute(gl: Gl, location: number, size: number, divisor = 0): void {
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  gl.vertexAttribDivisor(location, divisor);
}

export interface RenderTarget {
  texture: WebGLTexture;
  width: number;
  height: number;
}

interface RenderTargetOptions {
  format: GLenum;
  width: number;
  height: number;
  /** Also repeats across. Along the road every texture repeats. */
  repeats?: boolean;
  /** Has mipmaps, for `generateMipmap`. */
  mipmaps?: boolean;
}

/** A texture that is a render target. */
export function createRenderTarget(
  gl: Gl,
  { format, width, height, repeats = false, mipmaps = false }: RenderTargetOptions,
): RenderTarget {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(
    gl.TEXTURE_2D,
    mipmaps ? Math.floor(Math.log2(Math.max(width, height))) + 1 : 1,
    format,
    width,
    height,
  );
  const setParameter = (name: GLenum, value: GLenum) => gl.texParameteri(gl.TEXTURE_2D, name, value);
  setParameter(gl.TEXTURE_WRAP_S, repeats ? gl.REPEAT : gl.CLAMP_TO_EDGE);
  setParameter(gl.TEXTURE_WRAP_T, gl.REPEAT);
  setParameter(gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  setParameter(gl.TEXTURE_MIN_FILTER, mipmaps ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR);
  return { texture, width, height };
}

/** Runs `draw` and limits drawing to the target's rows `from` to `to` (shares 0..1). */
export function drawInto(
  gl: Gl,
  { texture, width, height }: RenderTarget,
  from: number,
  to: number,
  draw: () => void,
): void {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.viewport(0, 0, width, height);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, Math.round(height * from), width, Math.round(height * to) - Math.round(height * from));
  draw();
  gl.disable(gl.SCISSOR_TEST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.deleteFramebuffer(framebuffer);
}

/** Sets a fence after the submitted work. @returns Whether the GPU has reached it. Then the fence is deleted. */
export function createFence(gl: Gl): () => boolean {
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  return () => {
    if (!sync) return true;
    if (gl.getSyncParameter(sync, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(sync);
    return true;
  };
}
