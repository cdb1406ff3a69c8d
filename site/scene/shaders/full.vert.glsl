// One triangle over the whole target.
out vec2 vPlace; // -1..1

void main() {
  vPlace = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(vPlace, 0.0, 1.0);
}
