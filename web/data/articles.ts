// The worked articles by id, in display order.

import type { Article } from '../types/index.ts';
import hypothetical_405b from './articles/hypothetical-405b.json' with { type: 'json' };
import kaplan_12_l_d2 from './articles/kaplan-12-l-d2.json' with { type: 'json' };
import gpt_3_table from './articles/gpt-3-table.json' with { type: 'json' };
import chinchilla_table from './articles/chinchilla-table.json' with { type: 'json' };
import pythia_table from './articles/pythia-table.json' with { type: 'json' };
import llama_tables from './articles/llama-tables.json' with { type: 'json' };
import mixtral_8x7b from './articles/mixtral-8x7b.json' with { type: 'json' };
import deepseek_v3 from './articles/deepseek-v3.json' with { type: 'json' };
import gemma_3_table from './articles/gemma-3-table.json' with { type: 'json' };
import llama_1_65b from './articles/llama-1-65b.json' with { type: 'json' };
import llama_1_7b from './articles/llama-1-7b.json' with { type: 'json' };
import llama_2_70b from './articles/llama-2-70b.json' with { type: 'json' };
import llama_2_7b from './articles/llama-2-7b.json' with { type: 'json' };
import llama_3_8b from './articles/llama-3-8b.json' with { type: 'json' };
import llama_7b_from_code from './articles/llama-7b-from-code.json' with { type: 'json' };

export const articles: Readonly<Record<string, Article>> = {
  'hypothetical-405b': hypothetical_405b,
  'llama-1-65b': llama_1_65b,
  'llama-1-7b': llama_1_7b,
  'llama-2-70b': llama_2_70b,
  'llama-2-7b': llama_2_7b,
  'llama-3-8b': llama_3_8b,
  'llama-7b-from-code': llama_7b_from_code,
  'kaplan-12-l-d2': kaplan_12_l_d2,
  'gpt-3-table': gpt_3_table,
  'chinchilla-table': chinchilla_table,
  'pythia-table': pythia_table,
  'llama-tables': llama_tables,
  'mixtral-8x7b': mixtral_8x7b,
  'deepseek-v3': deepseek_v3,
  'gemma-3-table': gemma_3_table,
};
