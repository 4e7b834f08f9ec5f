import {ownProgram} from '../../domain/own-program.ts';
import {cleanLine} from '../cells/clean.ts';

/** The beginning of every command that the screen names. */
export const program = cleanLine(ownProgram);
