// The sky's model and the film's grading. Fog, the road's reflection and the sky itself ask the same function, so that
// they always agree. No texture is read here.
uniform sampler2D uNoise;

vec3 skyAt(vec3 d) {
  float mu = dot(d, uSun.xyz);
  float h = max(d.y, 0.0);
  vec3 c = mix(mix(uCool.rgb, uWarm.rgb, pow(0.5 + 0.5 * mu, 20.0)), uMiddle.rgb, 1.0 - exp(-h * 11.0));
  c = mix(c, uZenith.rgb, 1.0 - exp(-h * h * 26.0));
  float m = max(mu, 0.0);
  return c + uSun.w * (
    uWarm.rgb * 0.20 * pow(m, 14.0) * exp(-h * 5.0) +
    uDisc.rgb * (0.16 * pow(m, 120.0) * exp(-h * 2.0) + 0.30 * pow(m, 900.0))
  );
}

// Low-discrepancy noise per pixel (Jimenez 2014), moved along with time.
float grain(vec2 p, float shift) {
  return fract(52.9829189 * fract(dot(p + shift * vec2(5.588, 3.33), vec2(0.06711056, 0.00583715))));
}

vec3 grade(vec3 c, vec2 pixel) {
  vec2 p = (pixel * uScreen.zw - 0.5) * vec2(uScreen.x / uScreen.y, 1.0);
  vec2 q = p - uFlare.xy;
  float r = dot(q, q);
  // Light scattered in the lens: a glow, a wide glow and a streak along the horizon.
  c += uFlare.z * uSun.w * (
    uDisc.rgb * 0.085 * exp(-r * 26.0) * exp(min(q.y, 0.0) * 3.0) +
    uWarm.rgb * 0.046 * exp(-r * 4.0) * exp(min(q.y, 0.0) * 5.0) +
    uWarm.rgb * 0.035 * exp(-q.y * q.y * 1400.0) * exp(-abs(q.x) * 2.6)
  );
  // The intro: light spreads from the sun.
  float shown = ss(0.0, 1.0, uFilm.y * 1.9 - length(q * vec2(0.55, 1.1)) * 0.75);
  c *= uFilm.z * shown;
  c *= 1.0 - 0.42 * ss(0.25, 1.15, length(p * vec2(0.78, 1.0)));
  // Filmic curve (Narkowicz 2015), then sRGB.
  c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
  c = pow(clamp(c, 0.0, 1.0), vec3(0.4545));
  float l = dot(c, vec3(0.3, 0.59, 0.11));
  c = mix(c, c * vec3(0.94, 0.98, 1.08), 0.5 * (1.0 - ss(0.0, 0.4, l)));
  float g = grain(pixel, mod(uFilm.x * 60.0, 61.0)) + grain(pixel.yx, mod(uFilm.x * 47.0, 59.0)) - 1.0;
  return c + g * (0.030 - 0.016 * l) * min(1.0, shown + 0.2);
}
