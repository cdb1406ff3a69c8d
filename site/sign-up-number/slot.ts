import type { SignUpNumberSlot } from '@pillion/sign-ups/sign-up-number.ts';
import { pictureOf } from './picture.ts';
import { lampsFor } from './steps.ts';

/** What LOWSUN makes of the number of sign-ups: lamps on the scene's pass, and a drawing of them under the thanks. */
export const signUpNumberSlot: SignUpNumberSlot = { step: lampsFor, picture: pictureOf };
