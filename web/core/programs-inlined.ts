// How the program reaches the offline file: inside the script. There is one, which counts, too.

import packed from '#core-packed';
import { inflateProgram } from './inflate-program.ts';

export const loadFullProgram = () => inflateProgram(packed);

export const loadCountProgram = loadFullProgram;
