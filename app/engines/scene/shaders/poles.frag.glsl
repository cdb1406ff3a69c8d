// Poles are silhouettes in the air between; posts carry a reflector that answers the headlight. No texture read.
in vec3 vWorld;
in vec2 vPart;
out vec4 oColor;

void main() {
  vec3 view = vWorld - uEye.xyz;
  float far = length(view);
  view /= far;
  vec3 c = uAmbient.rgb * 0.035;
  if (vPart.x > 0.5) {
    c = uAmbient.rgb * 0.22;
    if (vPart.y > 0.68 && vPart.y < 0.84) c = mix(c, vec3(1.0, 0.62, 0.3) * (0.12 + uBike.w * 0.75), 0.8);
  }
  c += mix(uWarm.rgb, uDisc.rgb, 0.5) * uSun.w * pow(max(dot(view, uSun.xyz), 0.0), 24.0) * 0.06;
  float fog = 1.0 - exp(-pow(far * 0.00165, 1.30) - far * 0.0009);
  c = mix(c, skyAt(normalize(vec3(view.x, max(view.y, 0.0) * 0.35 + 0.012, view.z))) * 0.92, fog);
  oColor = vec4(grade(c, gl_FragCoord.xy), 1.0);
}
