// Other riders' lights and the huts: points on the land, one read of the height each.
in vec4 aLight; // metres from the road's middle, metres along, 2 own 1 tail -1 head 0 hut, brightness: above 1 a flare
uniform sampler2D uHeight;
out vec2 vLight; // what it shows, brightness
out float vFog;

void main() {
  float z = aLight.y, away = z - uEye.z;
  float ground = textureLod(uHeight, vec2(uToS(aLight.x) * 0.5 + 0.5, z / TILE), 1.7 * ss(150.0, 500.0, away)).r;
  bool hut = aLight.z == 0.0;
  vec3 place = vec3(aLight.x + roadX(z), ground + (hut ? 1.8 : 1.1), z);
  gl_Position = uViewProjection * vec4(place, 1.0);
  // The grid is coarser than the height map, so lights are drawn slightly nearer to stay above it.
  gl_Position.z -= away * 0.00002 * gl_Position.w;
  // metre: pixels of one metre at this distance; fine: 1 on a screen of 900 pixels. Far lamps keep a minimum size.
  float far = distance(place, uEye.xyz), metre = 0.5 / (far * uEye.w), fine = uScreen.y / 900.0;
  gl_PointSize = hut ? 7.0 * metre : max(3.2 * metre, (5.0 + 4.0 * ss(900.0, 200.0, far)) * max(fine, 0.8)) * max(aLight.w, 1.0);
  vLight = aLight.zw * vec2(1.0, ss(0.35, 0.9, uFilm.y) * (1.0 - 0.5 * ss(200.0, 1100.0, far)));
  vFog = 1.0 - exp(-pow(far * 0.00165, 1.30));
}
