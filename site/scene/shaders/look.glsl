// The sky's model and the film's grading. Fog, reflections on the road and the sky use the same function, so that they
// match. No texture reads. High powers are multiplications, because pow() is expensive per pixel.
uniform sampler2D uNoise;
const vec3 MOON = vec3(-0.157, 0.169, 0.973);

vec3 sunlight() {
  return mix(uWarm.rgb, uDisc.rgb, 0.5) * uSun.w;
}

// The sky's colour in a direction. h is its height over the horizon, mu the cosine of its angle to the sun. m16 to
// m1024 are powers of mu, for glows of falling size.
vec3 skyAt(vec3 d) {
  float mu = dot(d, uSun.xyz), h = max(d.y, 0.0);
  float side = 0.5 + 0.5 * mu, m = max(mu, 0.0), low = exp(-h * 2.4), low2 = low * low;
  side *= side;
  side *= side;
  float side16 = side * side * side * side;
  vec3 c = mix(mix(uCool.rgb, uWarm.rgb, side16 * side), uMiddle.rgb, 1.0 - low2 * low2 * low);
  c = mix(c, uZenith.rgb, 1.0 - exp(-h * h * 26.0));
  m *= m;
  m *= m;
  m *= m;
  float m16 = m * m, m128 = m16 * m16;
  m128 *= m128;
  m128 *= m128;
  float m1024 = m128 * m128;
  m1024 *= m1024;
  m1024 *= m1024;
  return c + uSun.w * (
    uWarm.rgb * 0.20 * m16 * low2 + uDisc.rgb * (0.16 * m128 * low + 0.30 * m1024)
  );
}

// The film's look: light in the lens, the intro, exposure, vignette, tone curve, grain. c is linear, the result is for
// the screen.
vec3 grade(vec3 c) {
  vec2 pixel = gl_FragCoord.xy;
  vec2 p = (pixel * uScreen.zw - 0.5) * vec2(uScreen.x / uScreen.y, 1.0);
  vec2 q = p - uFlare.xy;
  if (uFlare.z * uSun.w > 0.0) {
    // Light scattered in the lens: a glow, a wide glow and a streak along the horizon.
    float r = dot(q, q), below = min(q.y, 0.0);
    c += uFlare.z * uSun.w * (
      uDisc.rgb * 0.085 * exp(below * 3.0 - r * 26.0) +
      uWarm.rgb * (0.046 * exp(below * 5.0 - r * 4.0) + 0.035 * exp(-q.y * q.y * 1400.0 - abs(q.x) * 2.6))
    );
  }
  // The intro: light spreads from the sun.
  float shown = 1.0;
  if (uFilm.y < 1.0) shown = ss(0.0, 1.0, uFilm.y * 1.9 - length(q * vec2(0.55, 1.1)) * 0.75);
  c *= uFilm.z * shown;
  c *= 1.0 - 0.42 * ss(0.25, 1.15, length(p * vec2(0.78, 1.0)));
  // Filmic curve (Narkowicz 2015), then nearly sRGB.
  c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
  c = sqrt(c);
  c *= 1.18 - c * (0.30 - 0.12 * c);
  float l = dot(c, vec3(0.3, 0.59, 0.11));
  c *= mix(vec3(1.0), vec3(0.97, 0.99, 1.04), ss(0.4, 0.0, l));
  // Grain: low-discrepancy noise per pixel (Jimenez 2014), moved along with time.
  vec2 moved = pixel + mod(uFilm.x * 60.0, 61.0) * vec2(5.588, 3.33);
  float grain = fract(52.9829189 * fract(dot(moved, vec2(0.06711056, 0.00583715)))) - 0.5;
  return c + grain * (0.030 - 0.016 * l) * min(1.0, shown + 0.2);
}
