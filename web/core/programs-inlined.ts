// The program of the offline file: inside the script. The full program counts, too.

import packed from '#core-packed';
import { inflateProgram } from './inflate-program.ts';

export const loadFullProgram = () => inflateProgram(packed);

export const loadCountProgram = loadFullProgram;

export const loadPublishedProgram = loadFullProgram;
