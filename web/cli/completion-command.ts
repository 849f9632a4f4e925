// The command `completion`, which writes short shell scripts. They call this program for candidates, so they always match the table of
// commands.

import { loadCatalogue } from '../models/catalogue.ts';
import { columns, columnMeaning } from '../models/model-columns.ts';
import { listCandidates, type Names } from './completion.ts';
import { Usage, type Command } from './command.ts';

/**
 * The script for each shell. Every script calls `param-ledger completion words …`, which prints one candidate per line: the word, a tab and
 * its meaning.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `# param-ledger completion bash > /etc/bash_completion.d/param-ledger, or: source <(param-ledger completion bash)
_param_ledger() {
  local IFS=$'\\n' typed="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(param-ledger completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  case $typed in -*) ;; *) COMPREPLY+=($(compgen -f -- "$typed")) ;; esac
}
complete -o filenames -F _param_ledger param-ledger
`,
  zsh: `#compdef param-ledger
# param-ledger completion zsh > a folder of $fpath, as _param-ledger; or: source <(param-ledger completion zsh)
_param_ledger() {
  local -a found
  found=("\${(@f)$(param-ledger completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)\${(@)found//:/\\\\:}/$'\\t'/:}")
  [[ -n $found[1] ]] && _describe 'param-ledger' found
  [[ $words[CURRENT] = -* ]] || _files
}
if [[ $funcstack[1] = _param-ledger ]]; then _param_ledger "$@"; else compdef _param_ledger param-ledger; fi
`,
  fish: `# param-ledger completion fish > ~/.config/fish/completions/param-ledger.fish
complete -c param-ledger -a '(param-ledger completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

const shells = Object.keys(scripts);

export const completion = (commands: readonly Command[]): Command => ({
  name: 'completion',
  operands: shells.join('|'),
  takes: 'shells',
  summary: 'Writes completions for a shell: commands, options, their values, published models and model types.',
  options: [],
  more: `  source <(param-ledger completion bash)`,

  async run({ operands: [shell, ...words] }, terminal) {
    if (shell === 'words') {
      const found = await listCandidates(commands, joinSplitWords(words), names(commands));
      await terminal.write(found.map(({ word, meaning }) => `${word}\t${meaning}\n`).join(''));
      return 0;
    }
    if (shell === undefined || words.length > 0 || !Object.hasOwn(scripts, shell))
      throw new Usage(`completion is for one of ${shells.join(', ')}, not ${[shell, ...words].join(' ')}`);
    await terminal.write(scripts[shell]);
    return 0;
  },
});

/** Removes the `=` of options with a value: bash passes `--format=js` as the three words `--format`, `=` and `js`. */
function joinSplitWords(words: readonly string[]): string[] {
  const out: string[] = [];
  for (const [i, word] of words.entries()) if (word !== '=' || i === 0) out.push(word);
  return words.at(-1) === '=' ? [...out, ''] : out;
}

const names =
  (commands: readonly Command[]): Names =>
  async (what) => {
    if (what === 'shells') return shells.map((word) => ({ word, meaning: '' }));
    if (what === 'commands') return commands.flatMap(({ name, summary }) => (name ? { word: name, meaning: summary } : []));
    if (what === 'columns') return columns.map((column) => ({ word: column.name, meaning: columnMeaning(column) }));
    if (what === 'files') return [];
    const { models, types } = await loadCatalogue();
    const ofTypes = types.map(({ model_type: word, summary }) => ({ word, meaning: summary }));
    return what === 'types' ? ofTypes : [...models.map(({ id, name }) => ({ word: id, meaning: name })), ...ofTypes];
  };
