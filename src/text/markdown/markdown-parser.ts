import createMarkdownIt, {type MarkdownIt, type Token} from 'markdown-it';

/** Blocks nested more deeply are shown as written. */
const maxBlockDepth = 24;

let parser: MarkdownIt | undefined;

/**
 * CommonMark with tables and strikethrough, without features that would lose words or depend on later text: HTML and
 * reference links, whose definitions may follow at the end, are text.
 */
function createParser(): MarkdownIt {
	const made = new createMarkdownIt({html: false, linkify: true, maxNesting: 4 * maxBlockDepth});
	made.disable('reference');
	made.linkify.set({fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false});
	// Addresses are shown, never opened: as written, whatever their scheme.
	made.validateLink = () => true;
	made.normalizeLink = address => address;
	made.normalizeLinkText = address => address;
	made.inline.State = class extends made.inline.State {
		override scanDelims(start: number, canSplitWord: boolean) {
			const found = super.scanDelims(start, canSplitWord);
			if (this.src[start] !== '*') return found;
			const [before = '', after = ''] = [this.src[start - 1], this.src[start + found.length]];
			// A star in a path or between letters and digits is no mark, but CJK words have no spaces around marks.
			return {
				...found,
				can_open: /\S/.test(after) && !/[\w/*.-]/.test(before),
				can_close: /\S/.test(before) && !/[\w/*]/.test(after),
			};
		}
	};
	// The parser itself drops blocks beyond `maxNesting`.
	made.block.ruler.before('table', 'too-deep', (state, startLine, endLine, isSilent) => {
		if (isSilent || state.level < maxBlockDepth) return false;
		const map: [number, number] = [startLine, endLine];
		state.push('paragraph_open', 'p', 1).map = map;
		const inline = state.push('inline', '', 0);
		inline.content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
		inline.map = map;
		inline.children = [];
		state.push('paragraph_close', 'p', -1);
		state.line = endLine;
		return true;
	});
	return made;
}

/** The blocks of a text, flat, with the lines they come from; inline content is not parsed yet. */
export function parseBlocks(text: string): readonly Token[] {
	parser ??= createParser();
	const tokens: Token[] = [];
	const hidden = withoutPipesInCode(text);
	parser.block.parse(hidden, parser, {}, tokens);
	if (hidden !== text) for (const token of tokens) token.content = token.content.replaceAll(pipeInCode, '|');
	return tokens;
}

/** Stands for a pipe in inline code while cells are split; no cleaned text has it. */
const pipeInCode = '\uffff';
const inlineCode = /(?<!`)(`{1,3})(?!`)[^`\n]*\1(?!`)/g;

/** Agents don't escape the pipes of code in a table, so none of them ends a cell. As long as the text. */
export function withoutPipesInCode(text: string): string {
	return text.replace(inlineCode, code => code.replace(/(?<!\\)\|/g, pipeInCode));
}

export function parseInline(content: string): readonly Token[] {
	parser ??= createParser();
	const tokens: Token[] = [];
	parser.inline.parse(content, parser, {}, tokens);
	return tokens;
}
