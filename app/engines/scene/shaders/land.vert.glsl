// A fixed grid that steps along with the camera; one read of the height per vertex.
in vec2 aPlace; // s -1..1 across, metres along from uBase
uniform float uBase;
uniform sampler2D uHeight;
out vec3 vWorld;
out vec2 vTexel;
out float vAcross;

void main() {
  float z = uBase + aPlace.y;
  vAcross = sToU(aPlace.x);
  vTexel = vec2(aPlace.x * 0.5 + 0.5, z / TILE);
  vWorld = vec3(vAcross + roadX(z), textureLod(uHeight, vTexel, 0.0).r, z);
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}
