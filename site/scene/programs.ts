import { compile, type Gl, type Program } from './gl.ts';
import { ROAD_GLSL } from './road.ts';
import across from './shaders/across.glsl';
import frame from './shaders/frame.glsl';
import fullVertex from './shaders/full.vert.glsl';
import hash from './shaders/hash.glsl';
import head from './shaders/head.glsl';
import heightFragment from './shaders/height.frag.glsl';
import landFragment from './shaders/land.frag.glsl';
import landVertex from './shaders/land.vert.glsl';
import lightFragment from './shaders/light.frag.glsl';
import lightsFragment from './shaders/lights.frag.glsl';
import lightsVertex from './shaders/lights.vert.glsl';
import look from './shaders/look.glsl';
import noiseFragment from './shaders/noise.frag.glsl';
import polesFragment from './shaders/poles.frag.glsl';
import polesVertex from './shaders/poles.vert.glsl';
import riderFragment from './shaders/rider.frag.glsl';
import riderVertex from './shaders/rider.vert.glsl';
import skyFragment from './shaders/sky.frag.glsl';

export type Programs = Record<'noise' | 'height' | 'light' | 'land' | 'poles' | 'sky' | 'rider' | 'lights', Program>;

/**
 * Submits all programs to the driver at once, which compiles them in parallel if it can.
 * @param isLean Fewer texture reads and less detail, for phones.
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
