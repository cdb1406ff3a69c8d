import { compileProgram, type Gl, type Program } from './gl.ts';
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
export function compilePrograms(gl: Gl, isLean: boolean): Programs {
  const header = isLean ? head.replace('\n', '\n#define LEAN\n') : head;
  const fullScreen = header + fullVertex;
  const withRoad = header + ROAD_GLSL + across;
  const withFrame = withRoad + frame;
  const withLook = withFrame + look;
  return {
    noise: compileProgram(gl, fullScreen, header + hash + noiseFragment),
    height: compileProgram(gl, fullScreen, withRoad + hash + heightFragment),
    light: compileProgram(gl, fullScreen, withRoad + lightFragment),
    land: compileProgram(gl, withFrame + landVertex, withLook + landFragment, ['aPlace']),
    poles: compileProgram(gl, withFrame + polesVertex, withLook + polesFragment, ['aPart', 'aPlace']),
    sky: compileProgram(gl, fullScreen, withLook + skyFragment),
    rider: compileProgram(gl, withFrame + riderVertex, withLook + riderFragment),
    lights: compileProgram(gl, withFrame + lightsVertex, withLook + lightsFragment, ['aLight']),
  };
}
