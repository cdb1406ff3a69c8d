// A lamp with its glow, or a hut's gable with its window. No texture read.
in vec2 vLight;
in float vFog;
out vec4 oColor; // premultiplied: the glow adds

void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float r = dot(p, p);
  // A hut: roof and walls as a silhouette in the fog, one lit pane.
  if (vLight.x == 0.0) {
    float pixel = fwidth(p.x), side = abs(p.x + 0.1), roof = p.y + 0.62 - side * 0.62;
    float body = ss(0.0, pixel, roof) * ss(0.62 + pixel, 0.62, side) * ss(0.72 + pixel, 0.72, p.y);
    vec3 c = uAmbient.rgb * 0.06;
    c = mix(c, mix(uCool.rgb, uWarm.rgb, 0.4), vFog * 0.5);
    vec2 pane = abs(p - vec2(0.12, 0.22));
    c += vec3(1.0, 0.55, 0.2) * (0.4 + uFilm.w) * ss(0.11 + pixel, 0.11, max(pane.x, pane.y * 0.8));
    oColor = vec4(grade(c) * body, body);
    return;
  }
  // A lamp: gold for the visitor's own, red for a tail lamp, white for a headlight.
  vec3 lamp = vLight.x > 1.5 ? vec3(1.0, 0.5, 0.16) : vLight.x > 0.0 ? vec3(1.0, 0.10, 0.04) : vec3(1.0, 0.82, 0.55);
  float glow = exp(-r * 22.0) + 0.22 * exp(-r * 5.0) * (1.0 - r);
  vec3 c = lamp * glow + vec3(1.0, 0.75, 0.55) * exp(-r * 60.0);
  oColor = vec4(c * vLight.y * step(r, 1.0), 0.0);
}
