/** A sentence of prose, or something that can follow a question: an option of a list, or a code block. */
type Piece = {readonly kind: 'sentence' | 'option' | 'code'; readonly text: string};

/** Sentences after a question that leave it open: thanks, a recommendation, what happens next. */
const maxRemarks = 4;
/** Characters looked at, of a text and of a paragraph or list item: their ends. */
const maxText = 20_000;
const maxParagraph = 2000;

/**
 * Whether a text ends in a question to the user, or offers choices. Options, code and short remarks may follow
 * the question. When in doubt the answer is no: the user still learns that it is their turn.
 */
export function asksUser(text: string): boolean {
	let isFollowed = false;
	let remarks = 0;
	for (const {kind, text: words} of piecesOf(text).toReversed()) {
		const isAsking = question.test(words);
		if (kind === 'code' || (kind === 'option' && !isAsking)) isFollowed = true;
		else if (isAsking && courtesy.test(words)) remarks++;
		else if (request.test(words) || (isAsking && direct.test(words))) return true;
		else if (isAsking) return remarks === 0 && !(isFollowed && explanation.test(words));
		else if (!remark.test(words) || ++remarks > maxRemarks) return false;
	}
	return false;
}

const union = (...parts: readonly RegExp[]) => new RegExp(parts.map(({source}) => source).join('|'), 'iu');

/** Questions that only the user can answer. */
const direct = union(
	/\b(?:shall|should|would) (?:i|we|you)\b/,
	/(?<!\b(?:how|what|where|when|why) )\b(?:can|could|may|do|did|are|have|will) (?:i|we|you)\b/,
	/\byou (?:want|prefer|like)\b|\byou'd (?:like|prefer|rather)\b|\bwant me to\b/,
	/\b(?:ok|okay|fine|ready) (?:to|with|for|if)\b|\b(?:sounds?|looks?) (?:good|right|ok|okay)\b/,
	/\bis (?:that|this) (?:ok|okay|fine|right|correct|what)\b|^which\b/,
);

/** Sentences that ask without a question mark, such as those that end in a colon before a list. */
const request = union(
	/\blet me know (?:which|whether|where|who|what you(?:'d| would| want| prefer)|how (?:you|i|to)|your)\b/,
	/\blet me know (?:when you(?:'re|'ve| are| have)|if (?:i should|you (?:approve|agree)))\b/,
	/\blet me know if you(?:'d| would)? (?:like|want|prefer) me to (?:proceed|continue|go ahead)\b/,
	/\bplease (?:confirm|choose|pick|select|decide|advise|clarify|specify|approve|reply|respond|answer|tell me|provide)\b/,
	/^(?:just )?(?:choose|pick|select) (?:one|an option|between)\b|^(?:just )?(?:reply|answer|respond) (?:with|quotation|code)\b/,
	/\btell me (?:which|what|how|whether|where|if i)\b|\bi need (?:your|you to|to know (?:which|what|how|whether|where|if))\b/,
	/\b(?:need|await|awaiting|(?:wait|waiting) (?:for|on)) your (?:explicit )?(?:go-ahead|approval|confirmation|permission|answers?|reply|response|input|decision|choice|ok|sign-?off)\b/,
	/\bi (?:won't|will not|can't|cannot) .*\b(?:without|until) your?\b/,
	/^(?:shall|should|would|do|can|could) (?:i|we|you)\b.*:$|^(?:which|how|what)\b.*\byou (?:want|prefer|like)\b.*:$/,
	/[([]y(?:es)?\s?\/\s?no?[)\]]?:?$/,
);

const courtesy = union(
	/\b(?:anything|something) (?:else|more)\b|\bany (?:other |more |further )?questions\b/,
	/\bhow (?:can|may) i help\b|\bwhat can i (?:help|do for) you\b/,
);

/** Beginnings of remarks that don't answer the question before them. */
const remark = union(
	/^\(|^(?:thanks|thank you|cheers|let me know|just let me know|no rush|happy to|if|once|otherwise|until|as soon as)\b/,
	/^(?:i(?:'d| would)(?! be)|i'll|i will|i (?:can|recommend|suggest|lean|prefer|think))\b/,
	/^(?:my (?:recommendation|suggestion|preference|default|vote)|recommended|either|both|in the meantime|meanwhile)\b/,
);

/** Questions that an agent asks to answer them itself. */
const explanation = /^(?:so |and |but )?(?:what|why|how|who|where|when)\b/iu;

/** Question marks of several scripts, and the Japanese particle after a polite verb. */
const question = /(?:[?？؟⸮\u{37e}][!！]*|(?:ます|です|しょう|ません)か。?)$/u;

const fence = /^\s*(?:>\s*)?(`{3,}|~{3,})([^`]*)$/u;
/** A list item, a table row, or a paragraph such as "Option A: …". */
const option =
	/^\s*(?:[-*+•–]\s+(?=\S)|\||[*_]*\(?(?:\d{1,2}|[a-z])[.):][*_]*\s+(?=\S)|[*_]*(?:option|choice|variant) \w{1,2}\b)/iu;
const indented = /^(?: {2}|\t)/u;

function piecesOf(text: string): readonly Piece[] {
	const pieces: Piece[] = [];
	let paragraph = '';
	let openFence: string | undefined;
	const endParagraph = () => {
		for (const words of sentencesOf(paragraph)) pieces.push({kind: 'sentence', text: words});
		paragraph = '';
	};
	for (const line of text.slice(-maxText).split(/\r?\n/u)) {
		const mark = fence.exec(line);
		if (openFence !== undefined) {
			if (mark?.[1]?.startsWith(openFence) && mark[2]?.trim() === '') openFence = undefined;
			continue;
		}
		const isIndented = indented.test(line);
		if (mark) {
			endParagraph();
			openFence = mark[1];
			pieces.push({kind: 'code', text: ''});
		} else if (!/[\p{L}\p{N}]/u.test(line)) {
			endParagraph();
		} else if (option.test(line)) {
			endParagraph();
			pieces.push({kind: 'option', text: sentencesOf(line.replace(option, '')).at(-1) ?? ''});
		} else if (paragraph === '' && isIndented) {
			// The rest of a list item, or code.
			pieces.push({kind: 'code', text: ''});
		} else {
			paragraph += ` ${line}`;
		}
	}
	endParagraph();
	return pieces;
}

function sentencesOf(paragraph: string): readonly string[] {
	return plain(paragraph.slice(-maxParagraph))
		.split(/(?<=[.!?؟]["'”’»)\]]*)\s+|(?<=[。！？])(?!["'”’»」)])/u)
		.map(sentence => sentence.replace(/(?:[\s)\]]|\p{Extended_Pictographic}|\u{fe0f}|\u{200d})+$/u, ''))
		.filter(sentence => /[\p{L}\p{N}]/u.test(sentence));
}

/** Markdown without emphasis, headings and link targets. Inline code and quotations are a word each. */
function plain(markdown: string): string {
	return markdown
		.replace(/`[^`]{0,500}`/gu, 'code')
		.replace(/["“„«「『][^"”“»」』]{0,500}["”“»」』]/gu, 'quotation')
		.replace(/\[([^\]]{0,500})\]\([^)]{0,500}\)/gu, '$1')
		.replace(/[*_~]+/gu, '')
		.replace(/’/gu, "'")
		.replace(/^[\s>#]+/u, '')
		.trim();
}
