// The rider from behind as a signed distance in metres, with the lamps' glow. Five distances per pixel (one for the
// shape, four for its slope) on a small board. No texture reads.
uniform float uSpin; // radians the wheels have turned
uniform float uLean; // radians, positive to the left
uniform float uTuck; // 0..1, how low the rider lies
in vec2 vPlace;
out vec4 oColor; // premultiplied: the glow adds

// Distances to a capsule from a to b with two radii, to a rounded box, and to two shapes that melt over k metres.
float capsule(vec2 p, vec2 a, vec2 b, float ra, float rb) {
  vec2 d = p - a, e = b - a;
  float h = clamp(dot(d, e) / dot(e, e), 0.0, 1.0);
  return length(d - e * h) - mix(ra, rb, h);
}

float box(vec2 p, vec2 middle, vec2 half_size, float round) {
  p = abs(p - middle) - half_size + round;
  return length(max(p, 0.0)) + min(max(p.x, p.y), 0.0) - round;
}

float melt(float a, float b, float k) {
  float h = max(k - abs(a - b), 0.0) / k;
  return min(a, b) - h * h * k * 0.25;
}

float distanceTo(vec2 p) {
  float x = p.x;
  p.x = abs(p.x);
  // Tyre, tail, silencer on the right.
  float machine = box(p, vec2(0.0, 0.34), vec2(0.088, 0.34), 0.075);
  machine = min(machine, box(p, vec2(0.0, 0.66), vec2(0.15, 0.05), 0.03));
  machine = min(machine, capsule(vec2(x, p.y), vec2(0.19, 0.50), vec2(0.23, 0.62), 0.055, 0.05));
  // Seat, back, thighs, shins, boots, arms.
  float body = capsule(p, vec2(0.0, 0.90), vec2(0.0, 0.98), 0.20, 0.19);
  body = melt(body, capsule(p, vec2(0.05, 1.05), vec2(0.14, 1.36), 0.15, 0.105), 0.12);
  body = melt(body, capsule(p, vec2(0.12, 0.90), vec2(0.285, 0.80), 0.105, 0.085), 0.06);
  body = min(body, capsule(p, vec2(0.285, 0.80), vec2(0.20, 0.42), 0.07, 0.052));
  body = min(body, box(p, vec2(0.215, 0.37), vec2(0.06, 0.045), 0.03));
  body = melt(body, capsule(p, vec2(0.215, 1.36), vec2(0.375, 1.14), 0.075, 0.055), 0.05);
  body = min(body, capsule(p, vec2(0.375, 1.14), vec2(0.37, 1.0), 0.05, 0.042));
  // Handlebar, mirrors, helmet, neck.
  float d = min(machine, body);
  d = min(d, capsule(p, vec2(0.0, 1.0), vec2(0.43, 1.0), 0.022, 0.022));
  d = min(d, capsule(p, vec2(0.36, 1.02), vec2(0.46, 1.20), 0.009, 0.009));
  d = min(d, length((p - vec2(0.485, 1.225)) * vec2(0.75, 1.25)) - 0.045);
  d = melt(d, capsule(p, vec2(0.0, 1.1), vec2(0.0, 1.33), 0.15, 0.13), 0.05);
  d = melt(d, length((p - vec2(0.0, 1.585)) * vec2(1.06, 0.94)) - 0.145, 0.035);
  return min(d, capsule(p, vec2(0.0, 1.44), vec2(0.0, 1.5), 0.07, 0.08));
}

void main() {
  vec2 p = vPlace;
  // The rider leans further into the bend than the machine.
  float over = max(p.y - 0.85, 0.0);
  p.x += uLean * 0.7 * over;
  // At speed the rider ducks to the tank: the head moves down between the shoulders.
  p.y += uTuck * 0.28 * over;
  float d = distanceTo(p), pixel = fwidth(p.x), lamp = uBike.w, brake = uFlare.w;
  vec2 e = vec2(pixel, 0.0);
  vec2 slope = vec2(distanceTo(p + e) - distanceTo(p - e), distanceTo(p + e.yx) - distanceTo(p - e.yx));
  slope /= max(length(slope), 1e-5);
  float body = ss(pixel * 0.75, -pixel * 0.75, d);
  // The sun is on the right and lights a rim.
  float rim = ss(-0.035, -0.004, d) * (0.03 + 0.97 * pow(max(dot(slope, vec2(0.75, 0.66)), 0.0), 3.0));
  vec3 sun = sunlight();
  vec3 c = uAmbient.rgb * vec3(0.02, 0.02, 0.026) * (1.0 + slope.y) + sun * rim * 1.1;
  // The jacket: creases across the back.
  float back = ss(0.92, 1.0, p.y) * ss(1.42, 1.30, p.y) * ss(0.24, 0.14, abs(p.x));
  c += (uAmbient.rgb * 0.035 + sun * 0.018) * back * (0.7 + 0.6 * sin(p.y * 62.0 - abs(p.x) * 34.0));
  c += uAmbient.rgb * ss(-0.05, 0.0, d) * max(slope.y, 0.0) * 0.12 + vec3(1.0, 0.85, 0.65) * lamp * rim * 0.10;
  // The tyre's tread moves under the rider. Three worn places per turn are slow enough to be visible.
  float turn = asin(clamp((p.y - 0.34) / 0.34, -1.0, 1.0));
  float tread = pow(0.5 + 0.5 * sin(3.0 * (turn + uSpin)), 4.0) * ss(0.088, 0.03, abs(p.x)) * step(p.y, 0.62);
  c += tread * (uAmbient.rgb * 0.5 + vec3(0.22, 0.03, 0.015) * lamp * ss(0.1, 0.6, p.y));
  // A scarf in the wind.
  float along = clamp((-p.x - 0.02) / 0.62, 0.0, 1.0), time = uFilm.x * 8.0 - along * 7.0;
  float cloth = abs(p.y - 1.45 + along * (0.02 - 0.09 * sin(time) - 0.05 * sin(time * 1.7))) - 0.05 + 0.016 * along;
  cloth = max(cloth, abs(p.x + 0.3) - 0.32);
  float scarf = ss(pixel * 0.75, -pixel * 0.75, cloth);
  c = mix(c, vec3(0.50, 0.05, 0.02) * (uAmbient.rgb * 1.3 + sun * (0.35 + 0.3 * cos(time))), scarf);
  body = max(body, scarf);
  float tail = box(p, vec2(0.0, 0.80), vec2(0.085, 0.024), 0.018);
  c = mix(c, vec3(3.0, 0.22, 0.10) * (0.35 + lamp + brake * 2.0), ss(pixel, -pixel, tail));
  c = mix(c, uCool.rgb, 0.07);
  // Light in the air: the headlight scattered back, the tail lamp's bloom.
  vec2 head = p - vec2(0.0, 0.95);
  float halo = 0.17 * exp(-dot(head, head) * 1.15) + 0.09 * exp(-length(head * vec2(0.42, 1.0)) * 2.1);
  // The road cuts off the leaning board: no glow below it.
  float above = ss(0.0, 0.9, vPlace.x * sin(uLean) + vPlace.y * cos(uLean));
  float edge = ss(3.4, 2.2, abs(p.x)) * ss(4.2, 3.0, p.y) * above;
  vec3 glow = vec3(1.0, 0.80, 0.56) * halo * lamp * (1.0 - body) * above * edge;
  float tr = length((p - vec2(0.0, 0.80)) * vec2(0.7, 1.0));
  glow += vec3(1.0, 0.07, 0.035) * (0.55 * exp(-tr * tr * 60.0) + 0.10 * exp(-tr * 5.0)) * (lamp + brake * 4.0) * edge;
  glow = pow(glow * uFilm.z, vec3(0.62)) * ss(0.35, 0.9, uFilm.y) * 0.85;
  oColor = vec4(grade(c) * body + glow, body);
}
