// placeholder while the command line is built first
export const later = 0;
