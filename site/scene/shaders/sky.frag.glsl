// Sky, clouds, sun and stars, drawn last and only on uncovered pixels. 3 texture reads, 2 more at night.
uniform mat3 uCamera;
uniform vec2 uTan; // half the field of view
in vec2 vPlace;
out vec4 oColor;

void main() {
  vec3 d = normalize(uCamera * vec3(vPlace * uTan, 1.0));
  float mu = dot(d, uSun.xyz), h = max(d.y, 0.0), time = uFilm.x, night = uFilm.w;
  vec3 c = skyAt(d);
  // Streaks of stratus, lit from below by the low sun.
  vec2 a = vec2(atan(d.x, d.z), d.y);
  float n = texture(uNoise, vec2(a.x * 0.55 + time * 0.0012, a.y * 3.1 + a.x * 0.16)).r;
  float m = texture(uNoise, vec2(a.x * 1.3 - time * 0.0008, a.y * 8.3 + 0.37 - a.x * 0.3)).g;
  n = n * 0.62 + m * 0.38;
  #ifdef LEAN
  float fine = m;
  #else
  float fine = texture(uNoise, vec2(a.x * 2.6, a.y * 17.0)).r;
  #endif
  float cover = ss(0.53, 0.78, n + (fine - 0.5) * 0.18) * ss(0.0, 0.05, h) * ss(0.52, 0.16, h);
  vec3 lit = mix(
    mix(uMiddle.rgb, uCool.rgb, 0.35) * 0.8,
    uWarm.rgb * 1.05 + uDisc.rgb * 0.14 * uSun.w,
    pow(0.5 + 0.5 * mu, 22.0) * exp(-h * 3.4)
  );
  c = mix(c, lit, cover * mix(0.75, 0.35, ss(0.1, 0.4, h)));
  float rim = ss(0.46, 0.52, n) * ss(0.62, 0.52, n) * ss(0.02, 0.09, h) * exp(-h * 6.0);
  c += uDisc.rgb * uSun.w * rim * 0.16 * pow(max(mu, 0.0), 18.0);
  // The disc, redder at its lower edge, with one pixel of soft edge.
  float angle = acos(clamp(mu, -1.0, 1.0)), pixel = uTan.y * 2.0 * uScreen.w;
  vec3 sun = mix(
    uDisc.rgb * vec3(1.7, 0.62, 0.34),
    uDisc.rgb * vec3(2.6, 2.1, 1.6),
    ss(-0.036, 0.03, d.y - uSun.y)
  );
  c = mix(c, sun * (uSun.w * 0.8 + 0.2), ss(0.034 + pixel, 0.034 - pixel, angle) * step(0.001, uSun.w) * (1.0 - cover * 0.5));
  if (night > 0.01) {
    // First the moon, then the stars.
    float moonlight = ss(0.02, 0.4, night);
    // A band of stars across the dark, with dust in it. Brighter parts have more stars.
    float band = d.y - 0.34 - a.x * 0.55 + (n - 0.5) * 0.2;
    float river = exp(-band * band * 26.0);
    #ifndef LEAN
    float dust = texture(uNoise, a * 2.4).g;
    c += night * river * vec3(0.020, 0.019, 0.025) * (0.2 + 0.6 * ss(0.3, 0.75, dust)) * (1.0 - cover);
    #endif
    vec2 place = a * 230.0;
    vec2 cell = floor(place), in_cell = place - cell - 0.5;
    vec4 r4 = texture(uNoise, (cell + 0.5) / 256.0);
    float r = fract(r4.b * 7.3 + r4.r * 3.0);
    float far = length(in_cell - (vec2(r, fract(r * 17.3)) - 0.5) * 0.7);
    float twinkle = 0.75 + 0.25 * sin(time * (1.0 + 3.0 * r) + r * 40.0);
    c +=
      step(0.93 - 0.16 * river, r4.b) * night * ss(0.09 + 0.11 * r, 0.0, far) * (0.05 + 1.9 * pow(r, 12.0)) * twinkle *
      mix(vec3(1.0, 0.86, 0.72), vec3(0.75, 0.86, 1.0), fract(r * 9.1)) * ss(0.02, 0.22, h) * (1.0 - cover);
    // The moon's crescent is lit from the direction of the set sun.
    vec2 moon = vec2(dot(d.xz, vec2(MOON.z, -MOON.x)), d.y - MOON.y) / 0.0115;
    float soft = pixel * 80.0;
    float full = ss(1.0 + soft, 1.0, length(moon)) * step(0.0, dot(d, MOON));
    float sickle = full * ss(0.98, 1.12, length(moon - vec2(-0.46, 0.34)));
    c += moonlight * (vec3(1.0, 0.93, 0.82) * sickle * 0.75 + 0.015 * exp(-length(moon) * 0.16)) * (1.0 - cover * 0.7);
  }
  oColor = vec4(grade(c), 1.0);
}
