import type {Upserted} from '../domain/timeline.ts';

/** What one poll found, by id. */
export type News = {
	readonly added: Set<string>;
	readonly changed: Set<string>;
	/** Messages that are gone from the listing, or gaps that were found or closed. */
	isReshaped: boolean;
};

export function createNews(): News {
	return {added: new Set(), changed: new Set(), isReshaped: false};
}

export function addNews(news: News, {added, changed}: Pick<Upserted, 'added' | 'changed'>): void {
	for (const id of added) news.added.add(id);
	for (const id of changed) if (!news.added.has(id)) news.changed.add(id);
}

export function isNews(news: News): boolean {
	return news.added.size > 0 || news.changed.size > 0 || news.isReshaped;
}
