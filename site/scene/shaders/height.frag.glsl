// The valley's height in metres: ridged noise damped by its slope, like erosion, periodic along the road. 14 lattice
// reads of four hashes each per texel, once per visit.
in vec2 vPlace;
out vec4 oHeight;

// Noise and its slope.
vec3 slopeNoise(vec2 p, float period, uint seed) {
  vec2 i = floor(p), f = p - i;
  vec2 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0), du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
  #define AT(dx, dy) hash(uvec2(ivec2(int(i.x) + dx + 4096, int(mod(i.y + float(dy), period)))) + seed)
  float a = AT(0, 0), b = AT(1, 0), c = AT(0, 1), d = AT(1, 1);
  return vec3(
    a + (b - a) * u.x + (c - a) * u.y + (a - b - c + d) * u.x * u.y,
    du * (vec2(b - a, c - a) + (a - b - c + d) * u.yx)
  );
}

void main() {
  float along = vPlace.y * 0.5 + 0.5, z = along * TILE, x = sToU(vPlace.x), au = abs(x);
  // The position on the tile, bent by noise, so that no ridge is straight.
  vec2 q = vec2(x / TILE, along);
  q += (slopeNoise(q * 6.0, 6.0, 77u).x - 0.5) * 0.035;
  q.y += (slopeNoise(vec2(q.x * 6.0 + 9.0, along * 6.0), 6.0, 78u).x - 0.5) * 0.03;
  // Nine octaves: sum is height damped by the slope, ridges are sharp crests, each octave only on those before it.
  float frequency = 7.0, a = 0.5, sum = 0.0, ridges = 0.0, before = 1.0;
  vec2 slope = vec2(0.0);
  for (int k = 0; k < 9; k++) {
    vec3 n = slopeNoise(vec2(q.x, mod(q.y, 1.0)) * frequency, frequency, uint(k) * 131u + 5u);
    slope += n.yz * a * 0.9;
    sum += a * n.x / (1.0 + dot(slope, slope) * 0.55);
    float ridge = 1.0 - abs(n.x * 2.0 - 1.0);
    ridge *= ridge;
    ridges += ridge * a * before;
    before = clamp(ridge * 1.5, 0.0, 1.0);
    frequency *= 2.0;
    a *= k < 1 ? 0.52 : 0.47;
  }
  float side = x < 0.0 ? 1.15 : 0.92;
  float massif = 0.55 + 0.75 * slopeNoise(vec2(q.x * 3.0 + 3.0, along * 3.0), 3.0, 303u).x;
  float h = pow(ss(16.0, 300.0, au), 1.25) * (ridges + sum) * 133.5 * side * massif;
  // Ravines down the slopes, visible in the low sun.
  float ravine = 1.0 - abs(2.0 * slopeNoise(vec2(q.x * 11.0 + 5.0, mod(q.y, 1.0) * 34.0), 34.0, 611u).x - 1.0);
  h -= ravine * ravine * ravine * ss(18.0, 110.0, au) * ss(520.0, 260.0, au) * 13.0;
  // The valley's floor, its verge and the ditch next to the road.
  h += ss(7.0, 46.0, au) * (sum * 15.0 - 3.5);
  h += ss(5.0, 10.0, au) * 0.35 * slopeNoise(vec2(x * 0.35, along * 538.0), 538.0, 44u).x;
  h -= ss(4.6, 6.0, au) * ss(11.0, 6.0, au) * 0.55;
  oHeight = vec4(h + roadY(z), sum, ridges, 1.0);
}
