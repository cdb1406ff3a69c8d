import { compile, type Gl, type Program } from './gl.ts';
import { ROAD_GLSL } from './road.ts';
import across from './shaders/across.glsl?raw';
import frame from './shaders/frame.glsl?raw';
import fullVertex from './shaders/full.vert.glsl?raw';
import hash from './shaders/hash.glsl?raw';
import head from './shaders/head.glsl?raw';
import heightFragment from './shaders/height.frag.glsl?raw';
import landFragment from './shaders/land.frag.glsl?raw';
import landVertex from './shaders/land.vert.glsl?raw';
import lightFragment from './shaders/light.frag.glsl?raw';
import lightsFragment from './shaders/lights.frag.glsl?raw';
import lightsVertex from './shaders/lights.vert.glsl?raw';
import look from './shaders/look.glsl?raw';
import noiseFragment from './shaders/noise.frag.glsl?raw';
import polesFragment from './shaders/poles.frag.glsl?raw';
import polesVertex from './shaders/poles.vert.glsl?raw';
import riderFragment from './shaders/rider.frag.glsl?raw';
import riderVertex from './shaders/rider.vert.glsl?raw';
import skyFragment from './shaders/sky.frag.glsl?raw';

export type Programs = Record<'noise' | 'height' | 'light' | 'land' | 'poles' | 'sky' | 'rider' | 'lights', Program>;

/**
 * Hands every program to the driver at once, which compiles them side by side where it can.
 * @param isLean Fewer texture reads and less of what only a large screen shows, for phones.
 */
export function compileAll(gl: Gl, isLean: boolean): Programs {
  const top = isLean ? head.replace('\n', '\n#define LEAN\n') : head;
  const full = top + fullVertex;
  const place = top + ROAD_GLSL + across;
  const scenery = place + frame;
  const seen = scenery + look;
  return {
    noise: compile(gl, full, top + hash + noiseFragment),
    height: compile(gl, full, place + hash + heightFragment),
    light: compile(gl, full, place + lightFragment),
    land: compile(gl, scenery + landVertex, seen + landFragment, ['aPlace']),
    poles: compile(gl, scenery + polesVertex, seen + polesFragment, ['aPart', 'aPlace']),
    sky: compile(gl, full, seen + skyFragment),
    rider: compile(gl, scenery + riderVertex, seen + riderFragment),
    lights: compile(gl, scenery + lightsVertex, seen + lightsFragment, ['aLight']),
  };
}
