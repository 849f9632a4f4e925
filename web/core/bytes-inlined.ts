// How the program reaches the offline file: inside the script. There is one, which counts, too.

import packed from '#core-packed';
import { unpacked } from './inflate.ts';

export const wholeBytes = () => unpacked(packed);

export const countBytes = wholeBytes;
