import hljs from 'highlight.js/lib/common';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import fsharp from 'highlight.js/lib/languages/fsharp';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import http from 'highlight.js/lib/languages/http';
import julia from 'highlight.js/lib/languages/julia';
import latex from 'highlight.js/lib/languages/latex';
import nginx from 'highlight.js/lib/languages/nginx';
import nix from 'highlight.js/lib/languages/nix';
import ocaml from 'highlight.js/lib/languages/ocaml';
import powershell from 'highlight.js/lib/languages/powershell';
import properties from 'highlight.js/lib/languages/properties';
import protobuf from 'highlight.js/lib/languages/protobuf';
import scala from 'highlight.js/lib/languages/scala';

/** Besides the 36 that highlight.js calls common. */
const more = {
	clojure,
	cmake,
	dart,
	dockerfile,
	elixir,
	erlang,
	fsharp,
	groovy,
	haskell,
	http,
	julia,
	latex,
	nginx,
	nix,
	ocaml,
	powershell,
	properties,
	protobuf,
	scala,
};

/** Names that models write after a fence and highlight.js doesn't know. */
const aliases = {
	xml: ['vue', 'svelte'],
	json: ['jsonl', 'ndjson', 'json5'],
	bash: ['fish'],
	shell: ['terminal'],
	properties: ['env', 'conf'],
	sql: ['psql', 'postgres', 'postgresql', 'mysql', 'sqlite'],
};

let isReady = false;

function prepare(): void {
	if (isReady) return;
	isReady = true;
	for (const [name, grammar] of Object.entries(more)) hljs.registerLanguage(name, grammar);
	for (const [languageName, names] of Object.entries(aliases)) hljs.registerAliases(names, {languageName});
}

/** Is there a grammar for the name after a fence? Case doesn't matter. */
export function isLanguage(name: string): boolean {
	prepare();
	return hljs.getLanguage(name) !== undefined;
}

/** A piece of code and its scope, the innermost one: `keyword`, `title.function`. */
export type ScopedCode = {readonly text: string; readonly scope: string | undefined};

const entities: ReadonlyMap<string, string> = new Map([
	['&amp;', '&'],
	['&lt;', '<'],
	['&gt;', '>'],
	['&quot;', '"'],
	['&#x27;', "'"],
]);
const markup = /<span class="([^"]*)">|<\/span>|(&(?:amp|lt|gt|quot|#x27);|[^<&]+)/g;

/** Splits code by a grammar. The pieces in order are the code; complete if it ends outside strings and the like. */
export function scopedCode(
	code: string,
	language: string,
): {readonly pieces: readonly ScopedCode[]; readonly isComplete: boolean} {
	prepare();
	const {value, _top: top} = hljs.highlight(code, {language, ignoreIllegals: true});
	const scopes: string[] = [];
	const pieces: ScopedCode[] = [];
	for (const [, name, text] of value.matchAll(markup)) {
		if (text !== undefined) pieces.push({text: entities.get(text) ?? text, scope: scopes.at(-1)});
		else if (name === undefined) scopes.pop();
		else scopes.push(scopeOf(name) || (scopes.at(-1) ?? ''));
	}
	return {pieces, isComplete: top !== undefined && !('parent' in top && top.parent)};
}

/** `hljs-title function_` is the scope `title.function`; a nested language has none. */
function scopeOf(classes: string): string {
	const [first = '', ...rest] = classes.split(' ');
	if (!first.startsWith('hljs-')) return '';
	return [first.slice(5), ...rest.map(part => part.replace(/_+$/, ''))].join('.');
}
