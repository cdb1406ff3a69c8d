// Poles are silhouettes in the haze. Posts have a reflector for the headlight. No texture reads.
in vec3 vWorld;
in vec3 vPart;
out vec4 oColor;

void main() {
  vec3 view = vWorld - uEye.xyz;
  float far = length(view);
  view /= far;
  // Round: the sun on the right lights an edge.
  float edge = ss(0.1, 1.0, vPart.z);
  vec3 sun = sunlight();
  vec3 c = uAmbient.rgb * 0.035 * (1.4 - vPart.z * vPart.z) + sun * edge * 0.10;
  if (vPart.x > 0.5) {
    // White, grey at its foot, a slanting dark cap with the reflector in it.
    float cap = vPart.y - 0.07 * vPart.z;
    c = uAmbient.rgb * 0.42 * (0.25 + 0.75 * ss(0.1, 0.5, vPart.y)) * (1.0 - 0.65 * vPart.z * vPart.z) + sun * edge * 0.32;
    c = mix(c, uAmbient.rgb * 0.03 + sun * edge * 0.1, ss(0.64, 0.67, cap) * ss(0.95, 0.92, cap));
    c = mix(c, vec3(1.0, 0.62, 0.3) * (0.08 + uBike.w * 0.85), ss(0.085, 0.055, abs(cap - 0.79)));
  }
  c += sun * pow(max(dot(view, uSun.xyz), 0.0), 24.0) * 0.06;
  float fog = 1.0 - exp(-pow(far * 0.00165, 1.30) - far * 0.0009);
  c = mix(c, skyAt(normalize(vec3(view.x, max(view.y, 0.0) * 0.35 + 0.012, view.z))) * 0.92, fog);
  oColor = vec4(grade(c), 1.0);
}
