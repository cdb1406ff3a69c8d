// Telegraph poles with their wires, and the road's marker posts: one instanced draw, 108 vertices each. Parts that an
// instance does not have are moved below the land.
in vec3 aPart; // x -1..1, y 0..1 up or along, z: 0 mast, 1 crossbar, 2 and 3 wires
in vec2 aPlace; // metres from the road's middle (a post within 10 m), metres along from uBase
uniform float uBase;
out vec3 vWorld;
out vec3 vPart; // x 1 on a post, y share of its height, z -1..1 across it

void main() {
  float z = uBase + aPlace.y, across = aPlace.x, ground = roadY(z);
  bool post = abs(across) < 10.0;
  vWorld = vec3(roadX(z) + across, ground, z);
  vPart = vec3(0.0, 1.0, aPart.x);
  if (aPart.z > 1.5) {
    // A wire sags 1.25 m over its 64 m and is at least half a pixel wide.
    float share = aPart.y, there = z + share * 64.0;
    float wide = 0.012 + max(there - uEye.z, 2.0) * uEye.w * 0.55;
    vWorld.x = mix(vWorld.x, roadX(z + 64.0) + across, share) + (aPart.z > 2.5 ? 1.1 : -1.1);
    vWorld.z = there;
    vWorld.y = mix(ground, roadY(z + 64.0), share) + 8.35 - 5.0 * share * (1.0 - share) + aPart.x * wide;
  } else if (post) {
    // Wider at the foot, and each leans slightly differently.
    vWorld.x += aPart.x * mix(0.085, 0.06, aPart.y) + sin(z * 1.7 + across) * 0.09 * aPart.y;
    vWorld.y += -0.2 + aPart.y * (1.2 + aPart.x * 0.03 * sign(across) * step(1.0, aPart.y));
    vPart = vec3(1.0, aPart.y, aPart.x);
  } else if (aPart.z < 0.5) {
    vWorld.x += aPart.x * mix(0.17, 0.11, aPart.y);
    vWorld.y += -1.0 + aPart.y * 10.2;
  } else {
    vWorld.x += aPart.x * 1.25;
    vWorld.y += 8.1 + aPart.y * 0.16;
  }
  if (post && aPart.z > 0.5) vWorld.y -= 90.0;
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}
