/* ramknee:orders/stock_level */
/* How many of the items in the district's last 20 orders are short in the warehouse.  The hints keep one plan on every version:
   the number of rows can't be guessed from variables, and a plan that reads the whole stock would change what is measured. */
CREATE PROCEDURE dbo.rk_stock_level
    @w int,
    @d tinyint,
    @threshold int,
    @low int OUTPUT
AS
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @o int;
SELECT @o = d_next_o_id FROM dbo.district WHERE d_w_id = @w AND d_id = @d;
SELECT @low = COUNT(DISTINCT l.ol_i_id)
FROM dbo.order_line AS l
INNER JOIN dbo.stock AS s ON s.s_w_id = @w AND s.s_i_id = l.ol_i_id
WHERE l.ol_w_id = @w AND l.ol_d_id = @d AND l.ol_o_id >= @o - 20 AND l.ol_o_id < @o AND s.s_quantity < @threshold
OPTION (LOOP JOIN, FORCE ORDER, MAXDOP 1, KEEPFIXED PLAN);
RETURN 0;
