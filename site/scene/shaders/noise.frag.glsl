// 256 × 256 tileable noise, once per visit: r, g two fields of five octaves, b fine speckle, a ridges.
in vec2 vPlace;
out vec4 oColor;

float lattice(vec2 i, float period, uint seed) {
  return hash(uvec2(mod(i, period)) + seed);
}

float value(vec2 p, float period, uint seed) {
  vec2 i = floor(p), f = p - i;
  f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  return mix(
    mix(lattice(i, period, seed), lattice(i + vec2(1, 0), period, seed), f.x),
    mix(lattice(i + vec2(0, 1), period, seed), lattice(i + 1.0, period, seed), f.x),
    f.y
  );
}

float fractal(vec2 u, float frequency, uint seed) {
  float a = 0.5, sum = 0.0;
  for (int k = 0; k < 5; k++) {
    sum += a * value(u * frequency, frequency, seed + uint(k) * 97u);
    frequency *= 2.0;
    a *= 0.5;
  }
  return sum / 0.97;
}

void main() {
  vec2 u = vPlace * 0.5 + 0.5;
  float ridges = 0.0, a = 0.55, frequency = 8.0;
  for (int k = 0; k < 4; k++) {
    float n = 1.0 - abs(2.0 * value(u * frequency, frequency, 900u + uint(k)) - 1.0);
    ridges += a * n * n;
    frequency *= 2.0;
    a *= 0.5;
  }
  oColor = vec4(fractal(u, 4.0, 11u), fractal(u, 6.0, 501u), hash(uvec2(u * 256.0) + 7u), ridges);
}
