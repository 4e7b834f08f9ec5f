import type {Lists} from '../../state/lists/lists.ts';
import {type ViewInfo, type ViewName, views} from '../../state/view/view-states.ts';
import {type Found, type Rankable, rank} from '../../text/search/fuzzy.ts';
import {type ActionName, type Binding, isEnabled, isOffered, type Now} from '../keys/binding.ts';
import {placeOf} from '../keys/key-contexts.ts';
import type {KeyMap} from '../keys/key-map.ts';

/** An action or a destination. Names are raw, not yet cleaned. */
export type PaletteItem = Rankable & {
	readonly target:
		| {readonly kind: 'action'; readonly binding: Binding}
		| {readonly kind: 'view'; readonly view: ViewName}
		| {readonly kind: 'session' | 'computer'; readonly id: string};
	/** Keys that run it in the current context. */
	readonly keys: readonly string[];
	/** Why it is disabled, if it is. */
	readonly reason?: string;
	/** Never available in the focused context, whatever is selected. */
	readonly isElsewhere?: boolean;
};

export type PaletteSource = {
	readonly keys: KeyMap;
	/** The screen where it was opened. */
	readonly now: Now;
};

const penalty = {disabled: 2, elsewhere: 40} as const;

/**
 * The items that match the query, best first; without a query, the recently used ones, then those available here. What
 * is disabled has no advantage from use. A view whose name begins with the query is first, whatever was used.
 */
export function paletteItems(
	query: string,
	lists: Lists,
	from: PaletteSource,
	recent: readonly string[],
): Found<PaletteItem>[] {
	const all = [
		...actionItems(from),
		...views.map(view => viewItem(view, from)),
		...destinationItems('session', lists.all.sessions),
		...destinationItems('computer', lists.all.computers),
	];
	const disabled = new Set(all.filter(({reason}) => reason !== undefined).map(({id}) => id));
	const useful = recent.filter(id => !disabled.has(id));
	const start = query.trim().toLowerCase();
	if (start === '')
		return rank(
			query,
			all.filter(item => !item.isElsewhere),
			useful,
		);
	const ranked = rank(query, all, useful);
	const isMeant = ({item}: Found<PaletteItem>) =>
		item.target.kind === 'view' && item.name.toLowerCase().startsWith(start);
	return [...ranked.filter(isMeant), ...ranked.filter(one => !isMeant(one))];
}

/** One item per action: its binding in this context, or else one from another context. */
function actionItems({keys, now}: PaletteSource): PaletteItem[] {
	const {contexts} = now;
	// The keys of the dialog that it lies over, which others of the same name give way to.
	const over = now.view.dialogs.at(-1)?.kind;
	const own = keys.bindings.filter(binding => isOf(binding, over));
	const listed = keys.bindings.filter(
		binding => !binding.isPaletteHidden && !views.some(({name}) => binding.action === `view-${name}`),
	);
	const isHere = (binding: Binding) => binding.contexts.some(context => contexts.includes(context));
	const byAction = new Map<ActionName, Binding>();
	for (const binding of [...own, ...listed.filter(isHere), ...listed])
		if (!byAction.has(binding.action)) byAction.set(binding.action, binding);
	return [...byAction.values()].map(binding => {
		const offered = isOffered(binding, now);
		const enabled = isHere(binding)
			? isEnabled(binding, now)
			: offered === true
				? elsewhere(binding)
				: offered;
		const item: PaletteItem = {
			id: `action ${binding.action}`,
			name: binding.title,
			words: `${binding.action} ${binding.hint ?? ''} ${binding.findBy ?? ''}`,
			target: {kind: 'action', binding},
			// In the dialog, a view's key means something else.
			keys: isHere(binding) ? keys.keysOf(binding, over === undefined ? contexts : [over]) : binding.keys,
		};
		if (enabled === true) return item;
		return isHere(binding)
			? {...item, reason: enabled, penalty: penalty.disabled}
			: {...item, reason: enabled, penalty: penalty.elsewhere, isElsewhere: true};
	});
}

/** Whether the key is one of that dialog alone. */
export function isOf({contexts}: Binding, dialog: string | undefined): boolean {
	return contexts.every(context => context === dialog);
}

function elsewhere({contexts}: Binding): string {
	return `only in ${contexts.map(placeOf).join(', ')}`;
}

function viewItem(
	{name, title, findBy = ''}: ViewInfo & {readonly name: ViewName},
	{keys, now}: PaletteSource,
): PaletteItem {
	const binding = keys.bindings.find(({action}) => action === `view-${name}`);
	return {
		id: `view ${name}`,
		name: title,
		words: `view ${name} ${findBy}`,
		target: {kind: 'view', view: name},
		keys: binding ? keys.keysOf(binding, now.contexts) : [],
	};
}

function destinationItems(
	kind: 'session' | 'computer',
	items: readonly {readonly id: string; readonly name: string}[],
): PaletteItem[] {
	return items.map(({id, name}) => ({
		id: `${kind} ${id}`,
		name,
		words: `${kind} ${id}`,
		target: {kind, id},
		keys: [],
	}));
}
