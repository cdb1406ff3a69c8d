#version 300 es
precision highp float;
precision highp int;

// smoothstep for edges in either order, which GLSL leaves undefined.
float ss(float a, float b, float x) {
  return a < b ? smoothstep(a, b, x) : 1.0 - smoothstep(b, a, x);
}
