// Sky, clouds, sun and stars, drawn last and only where nothing stands before it. 3 texture reads, 2 more at night.
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
  float n =
    texture(uNoise, vec2(a.x * 0.55 + time * 0.0012, a.y * 3.1 + a.x * 0.16)).r * 0.62 +
    texture(uNoise, vec2(a.x * 1.3 - time * 0.0008, a.y * 8.3 + 0.37 - a.x * 0.3)).g * 0.38;
  float fine = texture(uNoise, vec2(a.x * 2.6, a.y * 17.0)).r;
  float cover = ss(0.53, 0.78, n + (fine - 0.5) * 0.18) * ss(0.0, 0.05, h) * ss(0.52, 0.16, h);
  vec3 lit = mix(
    mix(uMiddle.rgb, uCool.rgb, 0.35) * 0.8,
    uWarm.rgb * 1.05 + uDisc.rgb * 0.14 * uSun.w,
    pow(0.5 + 0.5 * mu, 22.0) * exp(-h * 3.4)
  );
  c = mix(c, lit, cover * mix(0.75, 0.35, ss(0.1, 0.4, h)));
  float rim = ss(0.46, 0.52, n) * ss(0.62, 0.52, n) * ss(0.02, 0.09, h) * exp(-h * 6.0);
  c += uDisc.rgb * uSun.w * rim * 0.16 * pow(max(mu, 0.0), 18.0);
  // The disc, redder at its foot; one pixel of soft edge.
  float angle = acos(clamp(mu, -1.0, 1.0)), pixel = uTan.y * 2.0 * uScreen.w;
  vec3 sun = mix(
    uDisc.rgb * vec3(1.7, 0.62, 0.34),
    uDisc.rgb * vec3(2.6, 2.1, 1.6),
    ss(-0.036, 0.03, d.y - uSun.y)
  );
  c = mix(c, sun * (uSun.w * 0.8 + 0.2), ss(0.034 + pixel, 0.034 - pixel, angle) * step(0.001, uSun.w) * (1.0 - cover * 0.5));
  if (night > 0.01) {
    vec2 place = a * 210.0;
    vec2 cell = floor(place), in_cell = place - cell - 0.5;
    vec4 r4 = texture(uNoise, (cell + 0.5) / 256.0);
    float r = fract(r4.b * 7.3 + r4.r * 3.0);
    float far = length(in_cell - (vec2(r, fract(r * 17.3)) - 0.5) * 0.7);
    float twinkle = 0.75 + 0.25 * sin(time * (1.0 + 3.0 * r) + r * 40.0);
    c +=
      step(0.90, r4.b) * night * ss(0.19, 0.0, far) * (0.06 + 1.5 * pow(r, 9.0)) * twinkle *
      mix(vec3(1.0, 0.86, 0.72), vec3(0.75, 0.86, 1.0), fract(r * 9.1)) * ss(0.02, 0.22, h) * (1.0 - cover);
    float band = d.y - 0.42 - a.x * 0.45;
    c += night * exp(-band * band * 17.0) * vec3(0.011, 0.013, 0.024) * (0.4 + texture(uNoise, a * 0.9).r * 1.3);
  }
  oColor = vec4(grade(c, gl_FragCoord.xy), 1.0);
}
