// Normal (xz), the low sun's shadow and the visible share of the sky, once per visit: 60 reads of the height per texel.
uniform sampler2D uHeight;
uniform vec3 uLit; // direction to the light that models the slopes
in vec2 vPlace;
out vec4 oLight;

float heightAt(float u, float z) {
  return texture(uHeight, vec2(uToS(u) * 0.5 + 0.5, z / TILE)).r;
}

void main() {
  float z = (vPlace.y * 0.5 + 0.5) * TILE, u = sToU(vPlace.x), e = max(1.6, abs(u) * 0.012), h = heightAt(u, z);
  vec3 n = normalize(vec3(heightAt(u - e, z) - heightAt(u + e, z), 2.0 * e, heightAt(u, z - e) - heightAt(u, z + e)));
  // Shadow: the ray to the light against the land, at growing distances. Its edge is softer at a distance.
  float shadow = 1.0;
  for (int i = 1; i <= 44; i++) {
    float d = 3.0 + float(i * i) * 0.42;
    float ray = h + 0.6 + d * uLit.y;
    shadow = min(shadow, 0.5 + (ray - heightAt(u + uLit.x * d, z + uLit.z * d)) * 9.0 / (d * 0.35 + 9.0));
  }
  // Sky: how far the land rises in twelve directions, at 14 and 44 m in turn.
  float closed = 0.0;
  for (int i = 0; i < 12; i++) {
    float a = float(i) * 0.5236, r = i % 2 == 0 ? 14.0 : 44.0;
    closed += clamp((heightAt(u + cos(a) * r, z + sin(a) * r) - h) / r, 0.0, 1.2);
  }
  oLight = vec4(n.x * 0.5 + 0.5, n.z * 0.5 + 0.5, clamp(shadow, 0.0, 1.0), clamp(1.0 - closed / 7.0, 0.0, 1.0));
}
