// Texts around the screens of lessons and exercises.

import { grouped, plural } from '../support/numbers.ts';

export const title = 'Count it by hand';
export const lead =
  'You predict each number before you see it. Every answer is judged at once: 16.8M, 4096*4096, 2^24 and 16,777,216 are all read. Your progress stays in this browser.';
export const list = 'Lessons';
export const made = (name: string) => `${name}, from its own derivation`;
export const back = 'All lessons';
export const start = 'Begin';
export const goOn = (screen: number, of: number) => `Go on: screen ${screen} of ${of}`;
export const done = 'Done';
export const screens = (n: number) => plural(n, 'screen');
export const position = (at: number, of: number) => `${at} of ${of}`;
export const previous = 'Back';
export const next = 'Next';
export const finish = 'Finish';
export const answer = 'Your answer';
export const check = 'Check';
export const hint = 'Hint';
export const showMe = 'Show me';
export const solution = (worked: string, value: string) => (worked === value ? `It is ${value}.` : `${worked} = ${value}`);
export const rightChoices = (choices: readonly string[]) => `Right: ${choices.join('; ')}.`;
export const setTo = (field: string, value: string) => `${field} = ${value}`;
export const chooseSeveral = 'Several may be right.';
export const verdicts = {
  right: 'Right.',
  convention: 'Under another convention.',
  wrong: 'Not yet.',
  unit: 'Wrong unit.',
  unreadable: 'Not read.',
};
export const ledger = 'Ledger';
export const line = 'Part';
export const yours = 'Yours';
export const ours = 'Exact';
export const nothing = 'Your numbers will appear here.';
export const picture = 'Highlighted tensors';
export const lit = (name: string, shape: string, copies: string) =>
  copies === '1' ? `${name}: ${shape}` : `${name}: ${shape}, ${copies} times`;
export const moreLit = (n: number) => `and ${plural(n, 'more tensor')}`;
export const share = (part: string, total: string) => `${part} of ${total} parameters are highlighted.`;
export const nothingLit = (total: string) => `The model has ${total} parameters.`;
export const turned = (field: string, value: string, total: string) => `${field} = ${value}: ${total} parameters`;
export const end = 'Your ledger';
export const endLead = (right: number, of: number) => `You answered ${grouped(right)} of ${plural(of, 'question')} right.`;
export const exportArticle = 'Open as an article';
export const exportTitle = 'Opens your ledger as a worked article: each line is judged, and you can share it';
export const saveArticle = 'Save the article';
export const again = 'Start again';
export const articleTitle = (name: string) => `${name}: my ledger`;
export const copyLink = 'Link to this screen';
export const copyLinkTitle = 'Copies a link to this lesson at this screen';
export const tooLong = 'too long for a link';
export const handInLink = 'Copy a link with my answers';
export const handInText = 'Copy my answers as text';
export const noProof = 'The answers are part of the link. Nothing proves who wrote them.';
export const handedIn = (right: number, of: number) => `Handed in: ${grouped(right)} of ${plural(of, 'question')} right`;
export const question = 'Question';
export const given = 'Answer';
export const verdict = 'Verdict';
export const unanswered = 'not answered';
export const cut = (n: number) => `This link was cut short. ${plural(n, 'screen')} arrived whole; the rest is missing.`;
export const noLesson = (why: string) => `This lesson cannot be read: ${why}`;
export const unknownModel = (screen: number | undefined, name: string) =>
  `${screen === undefined ? '' : `Screen ${screen}, `}model: “${name}” is not a published model in the catalogue. Give a name such as “meta-llama/Llama-3.1-8B”, or a configuration.`;
export const source = 'From';

// Texts for teachers.
export const exercises = 'Exercises in a link';
export const exercisesLead =
  'Choose questions, or write your own. The link, the frame and the widget contain the whole set. They need neither a server nor an account. Learners’ answers are judged at once.';
export const makeSet = 'Make a set of exercises';
export const trySet = (n: number) => `A first course: ${plural(n, 'question')}`;
export const setTitle = 'Title';
export const bank = 'Questions';
export const modelOf = 'Model';
export const ownQuestion = 'Write a question';
export const asJson = 'The set as JSON: change any text, or paste one';
export const preview = 'As a learner sees it';
export const copySet = 'Copy link';
export const copyFrame = 'Copy frame';
export const copyWidget = 'Copy widget';
export const copySetTitle = 'Copies a link that contains the whole set';
export const copyFrameTitle = 'Copies the HTML of a frame with the set';
export const copyWidgetTitle = 'Copies the HTML of the widget with the set';
export const asks = 'Question';
export const expression = 'The right answer, as an expression of fields and symbols';
export const wrongValue = 'A likely wrong answer';
export const wrongSays = 'What it means';
export const add = 'Add to the set';
export const emptySet = 'Choose a question to begin.';
export const untitled = 'Exercises';
export const noExpression = 'A question needs a text and an expression.';

// Posts with live numbers, which are hosted next to the page.
export const posts = 'Five posts with live numbers, to read or to copy';
export const postNames: readonly (readonly [name: string, title: string])[] = [
  ['hypothetical-405b', 'How many layers make 405 billion?'],
  ['llama-2-70b', 'Llama 2 70B, two products put right'],
  ['llama-2-to-3', 'From Llama 2 7B to Llama 3 8B'],
  ['llama-model-py', 'What llama/model.py builds'],
  ['llama-1-with-and-without-head', 'LLaMA with and without its head'],
];
