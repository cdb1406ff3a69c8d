import type { SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { drawLamps } from './picture.ts';
import { lampsFor } from './steps.ts';

/** LOWSUN shows the number of sign-ups as lamps: on the scene's pass, and as a drawing under the thanks. */
export const signUpNumberSlot: SignUpNumberSlot = { step: lampsFor, picture: drawLamps };
