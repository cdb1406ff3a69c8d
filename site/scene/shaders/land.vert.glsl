// A fixed grid that steps along with the camera; one read of the height per vertex. Far vertices are wider apart than
// texels: they read a smaller version, else peaks show the grid's facets.
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
