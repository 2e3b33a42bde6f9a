// Pairs of characters, single characters and a dictionary as the units of languages without blanks: known-item retrieval.
//
// usage: node measure.js [QUERIES]
//
// Paragraphs come from the message catalogues (/usr/share/locale) and manuals (/usr/share/man) of the system, queries from the
// paragraphs; see docs/LANGUAGES.md. Nothing but node is needed: its Intl.Segmenter has the dictionaries of ICU.
'use strict';
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const QUERIES = Number(process.argv[2] || 1500);
const LETTERS_MIN = 25;
const K1 = 1.2;
const B = 0.75;

/** Language, folder of its texts, its letters. */
const LANGUAGES = [
  ['zh', 'zh_CN', '\u4e00-\u9fff'],
  ['ja', 'ja', '\u3041-\u30ff\u4e00-\u9fff'],
  ['ko', 'ko', '\uac00-\ud7a3'],
  ['th', 'th', '\u0e01-\u0e4e'],
  ['km', 'km', '\u1780-\u17d3'],
  ['my', 'my', '\u1000-\u103f'],
];

/** What is searched by, as the weight of each kind of unit. */
const RANKINGS = {
  'pairs': { pairs: 1 },
  'pairs + 0.3 single': { pairs: 1, single: 0.3 },
  'pairs + single': { pairs: 1, single: 1 },
  'single': { single: 1 },
  'dictionary': { words: 1 },
  'pairs + dictionary': { pairs: 1, words: 1 },
};

let state = 7;
function below(limit) {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * limit);
}

function files(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** The translations in a catalogue of GNU gettext. */
function messages(file) {
  const bytes = fs.readFileSync(file);
  const little = bytes.readUInt32LE(0) === 0x950412de;
  const read = (at) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const table = read(16);
  return Array.from({ length: read(8) }, (_, index) => {
    const start = read(table + 8 * index + 4);
    return bytes.subarray(start, start + read(table + 8 * index)).toString('utf8').split('\0')[0];
  }).slice(1);
}

function manualParagraphs(file) {
  const text = zlib.gunzipSync(fs.readFileSync(file)).toString();
  const plain = text.replace(/^['.]\\".*$/gm, '').replace(/\\f./g, '').replace(/\\[&-]/g, '');
  return plain.split(/\n\.(?:PP|TP|IP|SH|SS|P|LP|B|I|RS|RE)\b|\n\s*\n/);
}

function paragraphs(folder, letters, glue) {
  const found = new Set();
  for (const file of files(`/usr/share/locale/${folder}/LC_MESSAGES`).filter((name) => name.endsWith('.mo'))) {
    messages(file).forEach((text) => found.add(text));
  }
  for (const file of files(`/usr/share/man/${folder}`).flatMap(files).filter((name) => name.endsWith('.gz'))) {
    manualParagraphs(file).forEach((text) => found.add(text));
  }
  const letter = new RegExp(`[${letters}]`, 'g');
  const beginnings = new Set();
  return [...found].map((text) => text.replace(/\s*\n\s*/g, glue).trim()).filter((text) => {
    const own = text.match(letter) || [];
    const beginning = own.slice(0, 20).join('');
    if (own.length < LETTERS_MIN || text.length >= 2000 || beginnings.has(beginning)) return false;
    beginnings.add(beginning);
    return true;
  });
}

const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' });

/** The functions that cut a text into units. */
function cutters(language, letters) {
  const runs = new RegExp(`[${letters}]+`, 'g');
  const letter = new RegExp(`[${letters}]`);
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  const characters = (run) => [...graphemes.segment(run)].map((part) => part.segment);
  const runsOf = (text) => (text.match(runs) || []).map(characters);
  return {
    characters,
    runsOf,
    pairs: (text) => runsOf(text).flatMap((run) => (run.length === 1 ? run : run.slice(1).map((next, at) => run[at] + next))),
    single: (text) => runsOf(text).flat(),
    words: (text) => [...words.segment(text)].filter((part) => part.isWordLike && letter.test(part.segment)).map((part) => part.segment),
  };
}

function makeIndex(texts, cut) {
  const postings = new Map();
  const lengths = texts.map((text, document) => {
    const counts = new Map();
    const units = cut(text);
    units.forEach((unit) => counts.set(unit, (counts.get(unit) || 0) + 1));
    for (const [unit, count] of counts) {
      if (!postings.has(unit)) postings.set(unit, []);
      postings.get(unit).push([document, count]);
    }
    return units.length;
  });
  return { postings, lengths, average: lengths.reduce((sum, length) => sum + length, 0) / lengths.length };
}

function addScores(index, units, weight, scores) {
  for (const unit of new Set(units)) {
    const found = index.postings.get(unit) || [];
    const idf = Math.log(1 + (scores.length - found.length + 0.5) / (found.length + 0.5));
    for (const [document, count] of found) {
      const length = 1 - B + (B * index.lengths[document]) / index.average;
      scores[document] += (weight * idf * count * (K1 + 1)) / (count + K1 * length);
    }
  }
}

/** A part of one clause, and two words, of a text. */
function makeQueries(language, text, cut) {
  const queries = {};
  if (language === 'ko') {
    const clauses = text.split(/[^\uac00-\ud7a3 ]+/).map((clause) => clause.trim()).filter((clause) => clause.length >= 4);
    const words = clauses.length ? clauses[below(clauses.length)].split(' ') : [];
    if (words.length) {
      const start = below(Math.max(1, words.length - 1));
      queries.fragment = words.slice(start, start + 2).join(' ');
    }
  } else {
    const clauses = cut.runsOf(text).filter((run) => run.length >= 4);
    if (clauses.length) {
      const clause = clauses[below(clauses.length)];
      const length = Math.min(clause.length, 4 + below(5));
      const start = below(clause.length - length + 1);
      queries.fragment = clause.slice(start, start + length).join('');
    }
  }
  let words = [...new Set(cut.words(text))].filter((word) => cut.characters(word).length >= 2);
  if (language === 'ko') words = words.map((word) => (word.length >= 3 ? word.slice(0, -1) : word));
  if (words.length > 3) queries.words = `${words[below(words.length)]} ${words[below(words.length)]}`;
  return queries;
}

function reciprocalRank(scores, wanted) {
  if (scores[wanted] <= 0) return 0;
  const isBefore = (score, document) => score > scores[wanted] || (score === scores[wanted] && document < wanted);
  return 1 / (1 + scores.reduce((before, score, document) => before + (isBefore(score, document) ? 1 : 0), 0));
}

for (const [language, folder, letters] of LANGUAGES) {
  const texts = paragraphs(folder, letters, language === 'ko' ? ' ' : '');
  if (texts.length < 50) continue;
  const cut = cutters(language, letters);
  const kinds = ['pairs', 'single', 'words'];
  const indexes = Object.fromEntries(kinds.map((kind) => [kind, makeIndex(texts, cut[kind])]));
  const queries = { fragment: [], words: [] };
  for (let count = 0; count < QUERIES; count += 1) {
    const wanted = below(texts.length);
    for (const [kind, query] of Object.entries(makeQueries(language, texts[wanted], cut))) queries[kind].push([wanted, query]);
  }
  console.log(`${language}: ${texts.length} paragraphs`);
  for (const [ranking, weights] of Object.entries(RANKINGS)) {
    const means = Object.entries(queries).map(([kind, list]) => {
      const ranks = list.map(([wanted, query]) => {
        const scores = new Float64Array(texts.length);
        for (const [unit, weight] of Object.entries(weights)) addScores(indexes[unit], cut[unit](query), weight, scores);
        return reciprocalRank(scores, wanted);
      });
      return `${kind} ${(ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length).toFixed(3)}`;
    });
    console.log(`  ${ranking.padEnd(20)} ${means.join('  ')}`);
  }
}
