"""The orders of the next twelve months, as the app advises them."""

from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.book import Book, Field, Table, written_date
from gpuplanner.files.workbook.inputs import Inputs, model_words, pool_words


def write_orders(book: Book, inputs: Inputs, above: Table) -> None:
    """Write them under a table of the sheet."""
    row = above.end_row + 1
    book.write(above.sheet, row, 0, "Orders of the next twelve months, from the app", "section")
    fields = (
        Field("pool", "Pool"),
        Field("gpu_model", "GPU model"),
        Field("reason", "Why"),
        Field("term", "Term, months", "count"),
        Field("offer", "Offer", "muted"),
        Field("gpus", "GPUs", "gpus"),
        Field("start", "Start"),
        Field("order_by", "Order by"),
    )
    table = Table(book, above.sheet, row + 1, len(inputs.advice.orders), fields)
    words = {"contract_end": "a contract ends", "lead_time": "lead time", "if_it_lasts": "if it lasts"}
    for place, order in enumerate(inputs.advice.orders):
        table.put("pool", place, pool_words(order.pool), _pool_style(order.pool))
        is_mapped = (
            None not in (order.gpu_model, order.offer_gpu_model) and order.gpu_model != order.offer_gpu_model
        )
        model = (
            f"{order.offer_gpu_model} for {order.gpu_model}" if is_mapped else model_words(order.gpu_model)
        )
        table.put("gpu_model", place, model)
        table.put("reason", place, words.get(order.reason, order.reason))
        table.put("term", place, order.term_months)
        table.put("offer", place, order.offer_id)
        table.put("gpus", place, order.gpus if order.offer_gpus is None else order.offer_gpus)
        table.put("start", place, written_date(order.start_s))
        table.put("order_by", place, written_date(order.order_by_s))


def _pool_style(pool: Pool) -> str:
    return f"pool_{pool}"
