// The tables of the Memory view: weights, cache, operations and training. The tables about devices also use `Scrolled` and `Digits`.

import type { ComponentChildren } from 'preact';
import { grouped } from '../support/numbers.ts';
import * as texts from '../settings/memory-texts.ts';
import { inUnit, type Unit } from '../settings/memory-texts.ts';
import type { EngineCache, MemoryAnswer, OperationsAnswer } from '../types/index.ts';

type Part<K extends 'weights' | 'cache' | 'compute' | 'training'> = Extract<MemoryAnswer[K], { readonly known: true }>;

export function WeightsTable({ weights }: { weights: Part<'weights'> }) {
  return (
    <Scrolled label={texts.weights}>
      <thead>
        <tr>
          <th scope="col">{texts.columns.tensor}</th>
          <th scope="col">{texts.columns.format}</th>
          <Digits head>{texts.columns.numbers}</Digits>
          <Digits head>{texts.columns.bytes}</Digits>
        </tr>
      </thead>
      <tbody>
        {weights.rows.map((row, i) => (
          <tr key={i}>
            <th scope="row">
              <code>{row.name}</code>
              {row.loaded === false && <em> {texts.inFiles}</em>}
            </th>
            <td>{row.format}</td>
            <Digits>{grouped(row.elements)}</Digits>
            <Digits>{grouped(row.bytes)}</Digits>
          </tr>
        ))}
      </tbody>
    </Scrolled>
  );
}

export function CacheTable({ cache }: { cache: Part<'cache'> }) {
  return (
    <>
      <p class="memory-formula">
        {texts.formula}: <span class="math-text">{cache.formula}</span> = {cache.substitution} = {grouped(cache.total.bytes)}
      </p>
      {cache.per_token !== undefined && <p>{texts.perToken(cache.per_token)}</p>}
      {cache.constant !== undefined && cache.constant !== '0' && <p>{texts.constant(cache.constant)}</p>}
      <Scrolled label={texts.cache}>
        <thead>
          <tr>
            <th scope="col">{texts.columns.tensor}</th>
            <th scope="col">{texts.columns.shape}</th>
            <th scope="col">{texts.columns.format}</th>
            <th scope="col">{texts.columns.formula}</th>
            <Digits head>{texts.columns.bytes}</Digits>
          </tr>
        </thead>
        <tbody>
          {cache.rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <code>{row.name}</code>
              </th>
              <td class="digits">[{row.shape.map(grouped).join(' × ')}]</td>
              <td>{row.dtype}</td>
              <td>{row.formula}</td>
              <Digits>{grouped(row.bytes)}</Digits>
            </tr>
          ))}
        </tbody>
      </Scrolled>
      {cache.engines && <EngineTable engines={cache.engines} />}
    </>
  );
}

function EngineTable({ engines }: { engines: readonly EngineCache[] }) {
  return (
    <>
      <Scrolled label={texts.byEngines}>
        <thead>
          <tr>
            <th scope="col">{texts.columns.engine}</th>
            <Digits head>{texts.columns.keys}</Digits>
            <Digits head>{texts.columns.values}</Digits>
            <Digits head>{texts.columns.states}</Digits>
            <Digits head>{texts.columns.all}</Digits>
          </tr>
        </thead>
        <tbody>
          {engines.map((cache) => (
            <tr key={cache.engine}>
              <th scope="row">{cache.known ? texts.cacheIn(cache) : cache.engine}</th>
              {cache.known ? (
                [cache.keys, cache.values, cache.states, cache.total].map((part, i) => (
                  <Digits key={i}>{part === undefined ? '' : grouped(part.bytes)}</Digits>
                ))
              ) : (
                <td colSpan={4}>{cache.reason}</td>
              )}
            </tr>
          ))}
        </tbody>
      </Scrolled>
      <p>{texts.engineNote}</p>
    </>
  );
}

export function ComputeTable({ compute, tokens }: { compute: Part<'compute'>; tokens: string }) {
  return (
    <>
      <table class="account">
        <tbody>
          {Object.entries(texts.computeRows(tokens)).map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{text}</th>
              <Digits>{texts.operations(compute[name as 'prompt'])}</Digits>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{texts.twice}</p>
      {compute.left_out.map((what) => (
        <p key={what}>{texts.leftOut(what)}</p>
      ))}
    </>
  );
}

/** A table of the operations under each common convention. */
export function ConventionsTable({ answer }: { answer: OperationsAnswer }) {
  return (
    <>
      <div class="memory-scroll" role="region" aria-label={texts.conventionsTitle} tabIndex={0}>
        <table class="account">
          <caption>{texts.conventionsTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.conventionColumns.convention}</th>
              <th scope="col">{texts.conventionColumns.formula}</th>
              <Digits head>{texts.conventionColumns.total(answer.tokens)}</Digits>
              <Digits head>{texts.conventionColumns.perToken}</Digits>
            </tr>
          </thead>
          <tbody>
            {answer.conventions.map(({ id, label, formula, substitution, source, total, per_token }) => (
              <tr key={id}>
                <th scope="row" title={source}>
                  {label}
                </th>
                <td title={substitution}>{formula}</td>
                <Digits>{grouped(total)}</Digits>
                <Digits>{per_token === undefined ? '' : grouped(per_token)}</Digits>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{texts.conventionSymbols}</p>
    </>
  );
}

export function TrainingTable({ training, unit }: { training: Part<'training'>; unit: Unit }) {
  return (
    <>
      <p>{texts.trained(training.trained, training.frozen)}</p>
      <table class="account">
        <thead>
          <tr>
            <th scope="col">{texts.columns.of}</th>
            <Digits head>{texts.columns.all}</Digits>
            <Digits head>{texts.columns.each}</Digits>
          </tr>
        </thead>
        <tbody>
          {training.rows.map(({ name, total, each, rest }) => (
            <tr key={name}>
              <th scope="row">{texts.trainingRows[name]}</th>
              <Digits>{inUnit(total, unit)}</Digits>
              <Digits>
                <span title={rest && texts.rest(rest)}>{inUnit(each, unit)}</span>
              </Digits>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.columns.all}</th>
            <Digits>{inUnit(training.total, unit)}</Digits>
            <Digits>{inUnit(training.each, unit)}</Digits>
          </tr>
        </tfoot>
      </table>
      <p>{texts.activations}</p>
    </>
  );
}

/** A table in a box of its own, because it may be wider than a phone. The box can be scrolled with the keyboard. */
export function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="memory-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="account">{children}</table>
    </div>
  );
}

export function Digits({ head = false, children }: { head?: boolean; children: ComponentChildren }) {
  return head ? (
    <th scope="col" class="digits">
      {children}
    </th>
  ) : (
    <td class="digits">{children}</td>
  );
}
