// Values that all draws of a frame share: one block of 256 bytes, written once per frame (frame-block.ts has this
// order).
layout(std140) uniform Frame {
  mat4 uViewProjection;
  vec4 uSun; // xyz direction to the sun, w its strength 0..1
  vec4 uZenith; // colours are linear
  vec4 uMiddle;
  vec4 uCool; // horizon away from the sun
  vec4 uWarm; // horizon at the sun
  vec4 uDisc;
  vec4 uAmbient;
  vec4 uScreen; // width, height, 1 / width, 1 / height in pixels
  vec4 uFilm; // seconds, intro 0..1, exposure, night 0..1
  vec4 uFlare; // xy the sun on the screen in screen heights from its middle, z share of it in view; w the brake lamp
  vec4 uEye; // xyz metres, w half the height of a pixel at 1 m
  vec4 uBike; // xyz metres, w lamp
};
