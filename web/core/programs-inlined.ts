// Decompresses the full program, which is part of the offline file's script. The offline file has no smaller programs.

import packed from '#core-packed';
import { inflateProgram } from './inflate-program.ts';

export const loadFullProgram = () => inflateProgram(packed);

export const loadCountProgram = loadFullProgram;

export const loadPublishedProgram = loadFullProgram;
