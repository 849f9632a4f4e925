// Texts about pasted, dropped and opened inputs. The page loads them only when an input has to be recognised or cannot be read.

import { grouped } from '../support/numbers.ts';

export const input = {
  accepted:
    'You can give a config.json or Meta’s params.json (the text, the file or its folder), a configuration in Python, YAML or Megatron’s arguments, the output of print(model), safetensors, GGUF and PyTorch files, their index, llama.cpp’s log, a list of tensors, a table of torchinfo or Keras, an adapter_config.json, or the name of a published model.',
  empty: 'It is empty.',
  list: 'That is a list, not a config.json.',
  page: 'That is a web page, not a config.json. On the Hub, open the file and choose “raw”.',
  pointer: 'That is a Git LFS pointer to a large file that was not fetched.',
  hdf5: 'That is an HDF5 file (Keras), which is not read here. Save the model as safetensors, or paste its summary.',
  onnx: 'That is an ONNX file, which is not read here. Give the config.json or the checkpoint that it was exported from.',
  flax: 'That is a Flax file (msgpack), which is not read here. Give the config.json, or the same model as safetensors.',
  binary: 'That is a binary file, but not a safetensors, GGUF or PyTorch file.',
  hub: (id: string) => `${id} is not in the catalogue. Open its config.json on the Hub and paste it.`,
  named: (what: 'hub' | 'adapter' | 'recipe', id: string, parameters: string | undefined, uncounted: string | undefined) =>
    [
      {
        hub: 'That is the Hub’s description of a model',
        adapter: 'That is the configuration of an adapter',
        recipe: 'That is a training recipe',
      }[what],
      id ? ` (${id}).` : ' that it does not name.',
      parameters === undefined ? '' : ` Its files hold ${grouped(parameters)} elements.`,
      ` Its config.json gives the count.`,
      uncounted ? ` ${uncounted}` : '',
    ].join(''),
  trained: (count: string) => `${grouped(count)} parameters are trained in addition to the model.`,
  number: 'That is a number, not a config.json.',
  words: (beginning: string) => `“${beginning}” is neither a config.json nor a known model.`,
  malformed: (message: string) => message,
  tooLarge: (name: string, size: number) => `${name} has ${grouped(size)} bytes, which is too large for a list of tensors.`,
  unreadable: (name: string) => `${name} could not be read.`,
  folder: (name: string) => `The folder ${name} contains no config.json.`,
  said: (what: string) => `${what} ${input.accepted}`,
  tensors: 'That is a list of tensors, not a config.json. To read it: param-ledger read',
  noTensors: 'That does not name any tensors.',
};
