// One random number 0..1 per lattice point. Integers give the same result on every GPU.
float hash(uvec2 q) {
  q *= uvec2(1597334673u, 3812015801u);
  uint n = (q.x ^ q.y) * 1597334673u;
  n ^= n >> 15;
  n *= 2246822519u;
  n ^= n >> 13;
  return float(n) * (1.0 / 4294967295.0);
}
