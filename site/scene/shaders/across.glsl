// Across the valley: texture and mesh are dense at the road and coarse at the peaks. s -1..1 <-> u metres from the
// road's middle, ±800 m at the edges.
float sToU(float s) {
  float a = abs(s);
  return sign(s) * (30.0 * a + 770.0 * a * a);
}

float uToS(float u) {
  return sign(u) * (sqrt(900.0 + 3080.0 * abs(u)) - 30.0) / 1540.0;
}
