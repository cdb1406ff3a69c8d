// A board of 6.8 × 5.2 m that faces the camera, turned about the tyre's foot as the rider leans.
uniform float uLean; // radians, positive to the left
out vec2 vPlace; // metres from the tyre's foot

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vPlace = corner * vec2(3.4, 2.6) + vec2(0.0, 1.6);
  float s = sin(uLean), k = cos(uLean);
  vec2 turned = vec2(vPlace.x * k - vPlace.y * s, vPlace.x * s + vPlace.y * k);
  gl_Position = uViewProjection * vec4(uBike.xyz + vec3(turned, 0.0), 1.0);
}
