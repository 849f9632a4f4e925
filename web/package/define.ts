import file from 'core-wasm';
import models from 'catalogue-json';
export const later = [file, models];
