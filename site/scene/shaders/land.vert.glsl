// A fixed grid that moves with the camera in steps, with one read of the height per vertex. Distant vertices are wider
// apart than texels, so they read a mipmap. Otherwise peaks would show the grid's facets.
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
  vWorld = vec3(vAcross + roadX(z), textureLod(uHeight, vTexel, 1.7 * ss(150.0, 500.0, aPlace.y)).r, z);
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}
