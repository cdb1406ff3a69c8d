// Land and road: the most expensive draw, 9 texture reads per pixel and one more on the road (LEAN: 4 and 2). Noise by
// z is read a whole number of times per tile (n / TILE), so that the ride can restart its tile unnoticed.
uniform sampler2D uLight;
uniform vec3 uLit;
in vec3 vWorld;
in vec2 vTexel;
in float vAcross;
out vec4 oColor;

float band(float x, float edge, float soft) {
  return ss(edge + soft, edge - soft, abs(x));
}

float squared(float x) {
  return x * x;
}

void main() {
  // In metres: far from the eye, above the road, au from its middle, and a pixel's size on the land across (wide) and
  // along. near falls from 1 at the eye to 0.
  vec3 view = vWorld - uEye.xyz;
  float far = length(view);
  view /= far;
  float near = exp(-far * 0.012), above = vWorld.y - roadY(vWorld.z), au = abs(vAcross);
  float wide = fwidth(vAcross), alongPixel = fwidth(vWorld.z);
  vec2 along = vec2(vWorld.x, vWorld.z / TILE);
  // The light map: xy normal, z shadow, w visible share of the sky.
  vec4 baked = texture(uLight, vTexel);
  vec2 nx = baked.xy * 2.0 - 1.0;
  // Noise: d1 repeats after 48 m, d2 after 9 m, d3 after 1 m across the road; air.r is mist, air.g the clouds' gaps.
  vec4 d1 = texture(uNoise, along * vec2(0.021, 32.0));
  vec4 air = texture(uNoise, vec2(vWorld.x * 0.0022 + uFilm.x * 0.004, along.y * 2.0));
  vec2 wind = vec2(vWorld.x * 0.059 - along.y * 61.0, vWorld.x * 0.026 + along.y * 60.0);
  float grass = texture(uNoise, wind).g;
  #ifdef LEAN
  vec4 d2 = vec4(grass, d1.gba), d3 = d2;
  grass = grass * 0.8 + 0.1;
  #else
  vec4 d2 = texture(uNoise, along * vec2(0.11, 169.0) + 0.3);
  vec4 d3 = texture(uNoise, vec2(vAcross * 0.9, along.y * 338.0));
  grass =
    grass * 0.5 +
    texture(uNoise, along * vec2(0.013, 14.0) + 0.7).r * 0.25 +
    mix(0.5, texture(uNoise, wind * vec2(9.0, 6.0)).r, exp(-far * 0.035)) * 0.25;
  #endif
  float baked_up = sqrt(max(0.02, 1.0 - dot(nx, nx)));
  vec3 n = vec3(nx.x, baked_up, nx.y);
  n = normalize(n + vec3(d1.r - 0.5, 0.0, d1.g - 0.5) * 0.55 + vec3(d2.r - 0.5, 0.0, d2.g - 0.5) * 0.7 * near);

  // Heath, scree and late snow. Distances above the road are metres.
  vec3 albedo = mix(vec3(0.030, 0.026, 0.022), vec3(0.068, 0.052, 0.036), d1.r * d2.g * 1.7);
  grass = ss(0.3, 0.72, grass);
  albedo *= mix(1.0, 0.35 + 1.3 * grass, near);
  albedo = mix(albedo, vec3(0.075, 0.068, 0.070), ss(14.0, 60.0, above));
  albedo = mix(albedo, vec3(0.088, 0.078, 0.074) * (0.5 + d1.a), ss(0.86, 0.62, baked_up) * ss(6.0, 20.0, above));
  // Structure of the slopes: bands of rock, and fans of scree that follow the slope.
  float steep = ss(0.93, 0.74, baked_up) * ss(6.0, 20.0, above);
  albedo *= 1.0 + 0.42 * steep * sin(above * 0.62 + d1.r * 11.0 + d2.r * 2.0);
  #ifndef LEAN
  float fan = texture(uNoise, vec2(vAcross * 0.0035, along.y * 44.0)).g;
  albedo *= mix(1.0, 0.62 + 1.3 * ss(0.42, 0.68, fan), ss(5.0, 16.0, above) * ss(75.0, 45.0, above));
  #endif
  float snow = ss(52.0, 104.0, above + (d1.a - 0.4) * 34.0) * ss(0.38, 0.72, n.y + 0.15 * d1.r);
  albedo = mix(albedo, vec3(0.62, 0.64, 0.70), snow * 0.85);

  // Moving gaps in the clouds let light through.
  float lit = ss(0.38, 0.62, baked.z) * (0.22 + 0.98 * ss(0.40, 0.60, air.g)), toSun = max(dot(view, uSun.xyz), 0.0);
  float toSun4 = squared(squared(toSun));
  vec3 sun = sunlight();
  vec3 c = albedo * uAmbient.rgb * vec3(0.9, 1.0, 1.1) * (0.35 + 0.65 * n.y) * (0.25 + 0.75 * baked.w) * 2.5;
  c += albedo * sun * max(dot(n, uLit), 0.0) * lit * 6.0;
  // The glow over the horizon lights the slopes that face it, and the moon those next to them.
  c += albedo * uWarm.rgb * squared(max(dot(n, vec3(0.05, 0.35, 0.93)), 0.0)) * (0.5 + 0.5 * baked.w) * (2.6 + uSun.w * 6.0 * ss(0.5, 0.7, air.g) * ss(20.0, 120.0, far));
  float silver = max(dot(n, vec3(-0.45, 0.72, 0.53)), 0.0);
  c += albedo * vec3(0.7, 0.82, 1.0) * uFilm.w * squared(silver) * silver * 0.28;
  // Grass against the sun, and the hills' rims.
  c += sun * toSun4 * toSun * (1.0 - ss(20.0, 60.0, above)) * albedo * d2.r * lit * 3.2;
  float crest = squared(squared(1.0 - clamp(dot(-view, n), 0.0, 1.0))) * toSun4 * toSun4 * toSun4;
  c += sun * crest * (0.10 + 0.5 * grass) * (0.3 + 0.7 * lit) * (1.0 - ss(30.0, 110.0, above)) * 0.5;

  float road = ss(4.15 + wide * 0.75, 4.15 - wide * 0.75, au + (d3.r - 0.5) * 0.07);
  if (road > 0.001) {
    #ifdef LEAN
    d3 = texture(uNoise, vec2(vAcross * 0.9, along.y * 338.0));
    #endif
    // Worn lanes are wetter. Wet parts reflect the sky.
    float wet = ss(0.34, 0.62, texture(uNoise, vec2(vAcross * 0.05, along.y * 12.0)).r * 0.85 + 0.15 * d3.g) * 0.7 + 0.3;
    wet *= 0.72 + 0.28 * ss(0.25, 0.95, abs(au - 1.75));
    vec3 up = normalize(vec3((d3.r - 0.5) * 0.030, 1.0, (d3.g - 0.5) * 0.045 + (d3.b - 0.5) * near * 0.05));
    vec3 mirrored = reflect(view, up);
    mirrored = normalize(vec3(mirrored.x, abs(mirrored.y) + 0.012, mirrored.z));
    float fresnel = pow(1.0 - clamp(dot(-view, up), 0.0, 1.0), 3.6);
    // Tyres have polished two tracks per lane. The joint between the lanes is tarred.
    float track = exp(-squared((abs(au - 1.75) - 0.72) * 3.4));
    float tar = band(vAcross - 0.24 + (d3.r - 0.5) * 0.12, 0.016, wide) * min(1.0, 0.04 / wide);
    vec3 asphalt = vec3(0.022, 0.021, 0.023) * (0.70 + 0.7 * d3.b * near + 0.3 * d2.r) * (1.0 - 0.35 * track) * (1.0 - 0.7 * tar);
    vec3 rc = asphalt * uAmbient.rgb * 2.4 * (0.6 + 0.4 * baked.w);
    rc += skyAt(mirrored) * fresnel * mix(0.16, 0.86, wet) * (0.45 + 0.55 * lit);
    // The moon's reflection: powers of the cosine, for a small bright spot and a wide dim one.
    float glint = squared(squared(squared(max(dot(mirrored, MOON), 0.0))));
    glint *= squared(glint);
    rc += vec3(0.8, 0.9, 1.0) * uFilm.w * wet * (0.5 + track) * (0.035 * squared(squared(squared(glint))) * glint * glint * glint + 0.005 * glint);
    // Paint: edge lines, a dashed middle line with 4 m in 12 m, both chipped and worn.
    float chip = (d3.g - 0.5) * 0.07;
    float edge = band(au - 3.55 + chip, 0.075, wide) * min(1.0, 0.16 / max(wide, 0.0001)) * (0.55 + 0.45 * d3.r);
    float beat = abs(fract(vWorld.z / 12.0) - 0.5) * 12.0;
    float dash = mix(ss(2.0 + alongPixel, 2.0 - alongPixel, beat + chip * 4.0), 0.33, ss(3.0, 9.0, alongPixel));
    float middle = band(vAcross + chip, 0.07, wide) * dash * min(1.0, 0.15 / max(wide, 0.0001));
    vec3 paint = vec3(0.62, 0.58, 0.52) * (uAmbient.rgb * vec3(2.5, 2.2, 1.8) + sun * 0.2 * lit);
    float worn = ss(0.24, 0.58, d3.r * 0.55 + d2.g * 0.45 + (d3.b - 0.5) * 0.3 * near);
    rc = mix(rc, paint, max(edge, middle) * mix(0.5, worn, 0.3 + 0.7 * near) * (1.0 - 0.6 * tar));
    c = mix(c, rc, road);
  }

  // Headlight in front of the rider, the tail light's smear behind.
  float bz = vWorld.z - uBike.z;
  if (bz > -24.0 && far < 400.0) {
    float bx = vWorld.x - uBike.x - (roadX(vWorld.z) - roadX(uBike.z)) * 0.55, ahead = max(bz, 0.0);
    float cone = 0.9 + ahead * 0.075;
    cone = squared(bx / cone);
    float pool = ss(-1.5, 16.0, bz) * exp(-ahead * 0.019) * (exp(-cone) + 0.3 * exp(-cone / 7.0)) * ss(400.0, 300.0, far);
    c += vec3(1.0, 0.8, 0.6) * uBike.w * pool * (albedo * 1.7 + road * (0.030 + 0.05 * d3.b * near)) * (0.75 + 0.5 * d3.g);
    float tx = vWorld.x - mix(uBike.x, uEye.x, clamp(-bz / max(uBike.z - uEye.z, 1.0), 0.0, 1.0));
    float smear = (1.0 - ss(-1.8, 0.6, bz)) * exp(min(bz, 0.0) * 0.26) * exp(-tx * tx * 16.0);
    c += vec3(1.0, 0.05, 0.02) * smear * road * 0.10 * (uBike.w + uFlare.w * 4.0) * (0.3 + 1.2 * d3.r);
    c += vec3(1.0, 0.06, 0.03) * exp(-(bz * bz * 0.22 + bx * bx * 0.5)) * (road * 0.03 + albedo) * (uBike.w + uFlare.w * 2.4) * 0.5;
  }

  // Air: fog by distance and mist in the valley, in the colour of the sky behind them.
  vec3 behind = skyAt(normalize(vec3(view.x, max(view.y, 0.0) * 0.35 + 0.012, view.z)));
  float fog = 1.0 - exp(-pow(far * 0.00165, 1.30));
  float mist =
    exp(-max(above - 1.0, 0.0) * 0.085) * (1.0 - exp(-far * 0.0042)) * ss(0.30, 0.75, air.r) * 0.62 * ss(60.0, 260.0, far);
  fog = 1.0 - (1.0 - fog * (0.55 + 0.45 * exp(-max(vWorld.y, 0.0) * 0.006))) * (1.0 - mist);
  c = mix(c, behind * 0.92, clamp(fog, 0.0, 1.0));
  oColor = vec4(grade(c), 1.0);
}
